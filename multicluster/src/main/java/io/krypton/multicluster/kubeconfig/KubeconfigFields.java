// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Typed access to single fields; an empty value counts as absent, as in kubectl. */
final class KubeconfigFields {
  private KubeconfigFields() {}

  static boolean present(ObjectNode node, String field) {
    var value = node.get(field);
    return value != null
        && !value.isNull()
        && !(value.isTextual() && value.textValue().isEmpty())
        && !(value.isContainerNode() && value.isEmpty());
  }

  static @Nullable String text(ObjectNode node, String field) throws KubeconfigException {
    return present(node, field) ? text(node.get(field), field) : null;
  }

  static boolean flag(ObjectNode node, String field) throws KubeconfigException {
    if (!present(node, field)) {
      return false;
    }
    if (!node.get(field).isBoolean()) {
      throw new KubeconfigException(field + " must be true or false");
    }
    return node.get(field).booleanValue();
  }

  /** Text that can travel in a request header. */
  static @Nullable String header(ObjectNode node, String field) throws KubeconfigException {
    var text = text(node, field);
    return text == null ? null : headerSafe(text, field);
  }

  static List<String> headers(ObjectNode node, String field) throws KubeconfigException {
    var texts = new ArrayList<String>();
    if (present(node, field)) {
      if (!node.get(field).isArray()) {
        throw new KubeconfigException(field + " must be a list");
      }
      for (var item : node.get(field)) {
        texts.add(headerSafe(text(item, field), field));
      }
    }
    return texts;
  }

  static byte @Nullable [] decoded(ObjectNode node, String field) throws KubeconfigException {
    var text = text(node, field);
    if (text == null) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(text.replaceAll("\\s", ""));
    } catch (IllegalArgumentException e) {
      throw new KubeconfigException(field + " is not base64; store the base64 of the PEM text");
    }
  }

  private static String text(JsonNode value, String field) throws KubeconfigException {
    if (!value.isTextual()) {
      throw new KubeconfigException(field + " must be text; quote it");
    }
    return value.textValue();
  }

  private static String headerSafe(String text, String field) throws KubeconfigException {
    if (text.isBlank() || !text.chars().allMatch(c -> c >= 0x20 && c < 0x7f)) {
      throw new KubeconfigException(
          field + " holds line breaks or characters outside ASCII; store it on one line");
    }
    return text;
  }
}
