// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Which objects to list and watch.
 *
 * @param group of the API, empty for the core group
 * @param namespace empty for all namespaces, and for kinds without
 * @param labelSelector as kubectl takes it, empty for all objects
 * @param fieldSelector the same for fields, of which a kind has few to select by
 */
public record MetadataSelection(
    String group,
    String version,
    String plural,
    String namespace,
    String labelSelector,
    String fieldSelector) {

  public MetadataSelection(
      String group, String version, String plural, String namespace, String labelSelector) {
    this(group, version, plural, namespace, labelSelector, "");
  }

  /** All objects of a kind. */
  public static MetadataSelection of(ResourceDefinitionContext kind) {
    var group = kind.getGroup() == null ? "" : kind.getGroup();
    return new MetadataSelection(group, kind.getVersion(), kind.getPlural(), "", "");
  }

  public MetadataSelection inNamespace(String wanted) {
    return new MetadataSelection(group, version, plural, wanted, labelSelector, fieldSelector);
  }

  public MetadataSelection withLabels(String selector) {
    return new MetadataSelection(group, version, plural, namespace, selector, fieldSelector);
  }

  public MetadataSelection withFields(String selector) {
    return new MetadataSelection(group, version, plural, namespace, labelSelector, selector);
  }

  /** Path and query on the API server, with further parameters. */
  String pathWith(String parameters) {
    return resource() + "?" + parameters + selectors();
  }

  /** Path and query on the API server, beginning with a slash. */
  public String path() {
    return "/" + resource() + selectors().replaceFirst("^&", "?");
  }

  /** The path of one of the objects. */
  public String path(String name) {
    return "/" + resource() + "/" + name;
  }

  private String resource() {
    var root = group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
    return root + (namespace.isEmpty() ? "/" : "/namespaces/" + namespace + "/") + plural;
  }

  private String selectors() {
    return parameter("labelSelector", labelSelector) + parameter("fieldSelector", fieldSelector);
  }

  private static String parameter(String name, String selector) {
    return selector.isEmpty()
        ? ""
        : "&" + name + "=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
  }
}
