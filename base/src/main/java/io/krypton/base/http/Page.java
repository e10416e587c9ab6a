// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import java.util.Map;
import java.util.Optional;

/** Answers requests. It runs on a virtual thread of its own and is asked anew each time. */
@FunctionalInterface
public interface Page {
  /**
   * The response of now.
   *
   * @throws InterruptedException when the server stops; nobody gets a response then
   */
  PageResponse respond(PageRequest request) throws InterruptedException;

  /** Pages by exact path: {@code /metrics/} and {@code /metricsx} are not {@code /metrics}. */
  static Page byPath(Map<String, Page> pages) {
    var copy = Map.copyOf(pages);
    return request -> {
      var page = copy.get(request.path());
      return page == null ? PageResponse.NOT_FOUND : page.respond(request);
    };
  }

  /** This page, for those whom the guard lets through. */
  default Page guardedBy(Guard guard) {
    return request -> {
      var refusal = guard.refusal(request);
      return refusal.isPresent() ? refusal.get() : respond(request);
    };
  }

  /** Decides who sees a page. */
  @FunctionalInterface
  interface Guard {
    /** What to respond in place of the page; empty lets the request through. */
    Optional<PageResponse> refusal(PageRequest request) throws InterruptedException;
  }
}
