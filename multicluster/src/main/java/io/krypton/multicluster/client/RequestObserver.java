// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

/** Observes every completed request to a cluster; must return at once. */
@FunctionalInterface
public interface RequestObserver {
  /** The code of a request without a response. */
  int NO_ANSWER = 0;

  /**
   * Called once per request, retries included.
   *
   * @param verb the HTTP method, or {@code WATCH}
   * @param code the HTTP status, or {@link #NO_ANSWER}
   */
  void completed(String cluster, String verb, int code);

  static RequestObserver none() {
    return (cluster, verb, code) -> {};
  }

  default RequestObserver and(RequestObserver other) {
    return (cluster, verb, code) -> {
      completed(cluster, verb, code);
      other.completed(cluster, verb, code);
    };
  }
}
