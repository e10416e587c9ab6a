// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import java.util.Map;

/**
 * Limits of the JDK's HTTP server, which by default waits for ever for a slow peer. They hold for
 * the whole process, and the JDK reads them once: before the first server. What is set already
 * stays.
 */
final class ConnectionLimits {
  private static final Map<String, String> PROPERTIES =
      Map.of(
          // Seconds for a request to arrive, and for a response to be taken.
          "sun.net.httpserver.maxReqTime", "10",
          "sun.net.httpserver.maxRspTime", "30",
          "sun.net.httpserver.maxReqHeaderSize", "65536",
          "jdk.httpserver.maxConnections", "256",
          // Without it every response waits for the acknowledgement of its own head.
          "sun.net.httpserver.nodelay", "true");

  private ConnectionLimits() {}

  static void apply() {
    PROPERTIES.forEach(
        (property, value) -> {
          if (System.getProperty(property) == null) {
            System.setProperty(property, value);
          }
        });
  }
}
