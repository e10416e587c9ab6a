// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One request to the API server.
 *
 * @param pathAndQuery starts with a slash
 * @param body null for a read
 */
public record ApiRequest(String method, String pathAndQuery, @Nullable JsonNode body) {
  public static final String APPLY_TYPE = "application/apply-patch+yaml";

  public static ApiRequest get(String path) {
    return new ApiRequest("GET", path, null);
  }

  /**
   * A server-side apply. It is forced: our entries are ours, and whoever took one over by mistake
   * must not be able to silence a node.
   */
  public static ApiRequest apply(String path, String fieldManager, JsonNode body) {
    return new ApiRequest(
        "PATCH", path + "?fieldManager=" + encode(fieldManager) + "&force=true", body);
  }

  /** The same call, checked by the server in full but not stored. */
  public ApiRequest asDryRun() {
    return new ApiRequest(method, pathAndQuery + "&dryRun=All", body);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
