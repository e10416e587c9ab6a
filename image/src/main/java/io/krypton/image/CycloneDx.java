// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The pieces of a bill of materials, in the words of CycloneDX 1.6. */
final class CycloneDx {
  static final String SPEC_VERSION = "1.6";

  private CycloneDx() {}

  static ObjectNode component(String type, String name, String version) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("name", name)
        .put("version", version);
  }

  /** A package URL is also the reference of its component in the same bill. */
  static ObjectNode located(ObjectNode component, String purl) {
    return component.put("bom-ref", purl).put("purl", purl);
  }

  static ObjectNode licensed(ObjectNode component, String expression) {
    component.putArray("licenses").addObject().put("expression", expression);
    return component;
  }

  static ObjectNode property(ObjectNode component, String name, String value) {
    component.withArray("properties").addObject().put("name", name).put("value", value);
    return component;
  }

  /** Names the files of a component as its parts, each with its sum. */
  static ObjectNode holding(ObjectNode component, List<ImageRoot.Entry> files) {
    ArrayNode parts = component.withArray("components");
    for (var file : files) {
      var part = parts.addObject().put("type", "file").put("name", file.path());
      file.sha256()
          .ifPresent(
              sum -> part.putArray("hashes").addObject().put("alg", "SHA-256").put("content", sum));
    }
    return component;
  }

  /** A part of a package URL, escaped as its specification wants. */
  static String escaped(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
