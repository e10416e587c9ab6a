package io.krypton.agent.publish;

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
public record ApiCall(String method, String pathAndQuery, @Nullable JsonNode body) {
  public static final String APPLY_TYPE = "application/apply-patch+yaml";

  public static ApiCall get(String path) {
    return new ApiCall("GET", path, null);
  }

  /**
   * A server-side apply. It is forced: our entries are ours, and whoever took one over by mistake
   * must not be able to silence a node.
   */
  public static ApiCall apply(String path, String fieldManager, JsonNode body) {
    return new ApiCall(
        "PATCH", path + "?fieldManager=" + encode(fieldManager) + "&force=true", body);
  }

  /** The same call, checked by the server in full but not stored. */
  public ApiCall asDryRun() {
    return new ApiCall(method, pathAndQuery + "&dryRun=All", body);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
