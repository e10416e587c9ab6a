// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * How a {@link PageServer} serves.
 *
 * @param tls empty for plain HTTP
 * @param everyMethod whether pages see methods other than GET and HEAD, which else get 405
 * @param grace how long a stop waits for requests under way, in whole seconds
 * @param listener hears what a server cannot tell its peers
 */
public record PageServerOptions(
    Optional<PageTls> tls, boolean everyMethod, Duration grace, Listener listener) {
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** What there is to log; called on threads of the server. */
  public interface Listener {
    /** The address cannot be had and is tried again; once for each new reason. */
    void addressTaken(InetSocketAddress address, String reason, Duration retry);

    /** A bug: the peer got 500 and no reason. */
    void pageFailed(PageRequest request, RuntimeException bug);
  }

  /** Plain HTTP, GET and HEAD only. */
  public static PageServerOptions plain(Listener listener) {
    return new PageServerOptions(Optional.empty(), false, GRACE, listener);
  }

  public PageServerOptions withTls(PageTls encryption) {
    return new PageServerOptions(Optional.of(encryption), everyMethod, grace, listener);
  }

  /** As kube-apiserver does for its probes: a POST is answered like a GET. */
  public PageServerOptions withEveryMethod() {
    return new PageServerOptions(tls, true, grace, listener);
  }

  public PageServerOptions withGrace(Duration time) {
    return new PageServerOptions(tls, everyMethod, time, listener);
  }
}
