// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads from an API server by path. Whatever goes wrong is a {@link KubernetesClientException}. */
public interface ApiReader extends AutoCloseable {
  /** As many as kubectl asks for at once. */
  int PAGE = 500;

  /** The answer to a GET. */
  JsonNode get(String path);

  /** The URL that paths are below, without a slash at its end. */
  String server();

  @Override
  void close();

  /** The items of a list, asked for in pages. */
  default List<JsonNode> list(String path) {
    var items = new ArrayList<JsonNode>();
    var paged = path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE;
    var token = "";
    do {
      try {
        var page = get(token.isEmpty() ? paged : paged + "&continue=" + encoded(token));
        page.path("items").forEach(items::add);
        token = page.path("metadata").path("continue").asText("");
      } catch (KubernetesClientException failed) {
        if (token.isEmpty() || failed.getCode() != HttpURLConnection.HTTP_GONE) {
          throw failed;
        }
        // The snapshot that the pages are of was compacted: as kubectl, take all at once instead.
        items.clear();
        get(path).path("items").forEach(items::add);
        token = "";
      }
    } while (!token.isEmpty());
    return items;
  }

  /** A value of a query. */
  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
