// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.lab;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** The pages of a program of this node. */
public record LocalPage(int port) {

  /** The body; empty while nobody listens. */
  public String get(String path) {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
