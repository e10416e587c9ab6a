// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import io.krypton.base.http.Page;
import io.krypton.base.http.PageRequest;
import io.krypton.base.http.PageServer;
import io.krypton.base.http.PageServerOptions;
import io.krypton.base.http.PageTls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How metrics and status are protected; the two parts are independent.
 *
 * @param tls empty for plain HTTP
 * @param guard decides who may read the pages, before it is known whether there is such a page
 */
public record ServerSecurity(Optional<PageTls> tls, Page.Guard guard) {
  private static final Logger log = LoggerFactory.getLogger(ServerSecurity.class);

  public static ServerSecurity none() {
    return new ServerSecurity(Optional.empty(), request -> Optional.empty());
  }

  /**
   * Starts a server of these pages; the address is taken when this returns.
   *
   * @throws java.io.UncheckedIOException with a text for users when the address cannot be had
   */
  public PageServer serve(InetSocketAddress address, Map<String, Page> pages) {
    var plain = PageServerOptions.plain(new ServerLog()).withEveryMethod().withGrace(Duration.ZERO);
    var options = tls.map(plain::withTls).orElse(plain);
    return new PageServer(address, Page.byPath(pages).guardedBy(guard), options).start();
  }

  private static final class ServerLog implements PageServerOptions.Listener {
    @Override
    public void addressTaken(InetSocketAddress address, String reason, Duration retry) {
      log.warn("cannot listen on {}: {}; retrying in {}", address, reason, retry);
    }

    @Override
    public void pageFailed(PageRequest request, RuntimeException bug) {
      log.error("page {} failed", request.path(), bug);
    }
  }
}
