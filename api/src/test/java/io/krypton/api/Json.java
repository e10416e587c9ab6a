// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Reads and writes objects exactly as the Kubernetes client does. */
public final class Json {
  private static final KubernetesSerialization CLIENT = new KubernetesSerialization();

  private Json() {}

  public static <T> T read(String yaml, Class<T> type) {
    return CLIENT.unmarshal(yaml, type);
  }

  public static JsonNode tree(Object object) {
    return CLIENT.unmarshal(CLIENT.asJson(object), JsonNode.class);
  }

  public static JsonNode tree(String yaml) {
    return read(yaml, JsonNode.class);
  }
}
