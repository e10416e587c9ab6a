// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.krypton.agent.json.JsonTree;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * The cluster and the user that a kubeconfig's current context names.
 *
 * <p>A kubeconfig can name programs to run and credentials to fetch. None of that happens here:
 * what is not in the supported subset is refused by name. Parser messages are dropped, because they
 * quote the file.
 */
record KubeconfigCurrentContext(JsonNode cluster, JsonNode user) {
  private static final List<String> REFUSED_IN_USER =
      List.of("exec", "auth-provider", "username", "password", "as", "as-uid", "as-groups");

  static KubeconfigCurrentContext parse(String yaml) throws UnusableCredentialsException {
    var root = tree(yaml);
    if (!root.isObject()) {
      throw new UnusableCredentialsException("is not a YAML mapping");
    }
    var name = text(root, "current-context");
    if (name == null) {
      throw new UnusableCredentialsException("current-context is not set");
    }
    var context = entry(root, "contexts", "context", name);
    var cluster = entry(root, "clusters", "cluster", required(context, "contexts", "cluster"));
    var user = entry(root, "users", "user", required(context, "contexts", "user"));
    refuseUnsupported(cluster, user);
    return new KubeconfigCurrentContext(cluster, user);
  }

  /** A scalar of the mapping as text; null when absent or empty. */
  static @Nullable String text(JsonNode mapping, String key) throws UnusableCredentialsException {
    var value = mapping.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isTextual()) {
      throw new UnusableCredentialsException(key + " must be a string");
    }
    return value.textValue().isEmpty() ? null : value.textValue();
  }

  private static void refuseUnsupported(JsonNode cluster, JsonNode user)
      throws UnusableCredentialsException {
    if (cluster.hasNonNull("proxy-url")) {
      throw new UnusableCredentialsException("proxy-url is not supported");
    }
    for (var key : REFUSED_IN_USER) {
      if (user.hasNonNull(key)) {
        throw new UnusableCredentialsException(
            key + " is not supported: use tokenFile, token or a client certificate");
      }
    }
  }

  private static String required(JsonNode mapping, String list, String key)
      throws UnusableCredentialsException {
    var value = text(mapping, key);
    if (value == null) {
      throw new UnusableCredentialsException(
          "the current context in %s names no %s".formatted(list, key));
    }
    return value;
  }

  private static JsonNode entry(JsonNode root, String list, String kind, String name)
      throws UnusableCredentialsException {
    for (var item : root.path(list)) {
      if (name.equals(item.path("name").textValue())) {
        var content = item.path(kind);
        if (!content.isObject()) {
          throw new UnusableCredentialsException("the entry in %s has no %s".formatted(list, kind));
        }
        return content;
      }
    }
    throw new UnusableCredentialsException(
        "%s has no entry that the current context names".formatted(list));
  }

  private static JsonNode tree(String yaml) throws UnusableCredentialsException {
    try (var parser = format().createParser(yaml)) {
      var node = JsonTree.read(parser);
      if (node.isMissingNode()) {
        throw new UnusableCredentialsException("is empty");
      }
      return node;
    } catch (JsonProcessingException e) {
      var location = e.getLocation();
      throw new UnusableCredentialsException(
          location == null
              ? "is not valid YAML"
              : "is not valid YAML at line " + location.getLineNr());
    } catch (IOException e) {
      throw new UnusableCredentialsException("is not valid YAML");
    }
  }

  private static YAMLFactory format() {
    var limits = new LoaderOptions();
    limits.setMaxAliasesForCollections(0);
    limits.setNestingDepthLimit(20);
    limits.setAllowDuplicateKeys(false);
    return YAMLFactory.builder()
        .loaderOptions(limits)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .build();
  }
}
