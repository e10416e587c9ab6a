// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.http;

import io.krypton.base.http.PageRequest;
import io.krypton.base.http.PageServerOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what a page server cannot tell its peers. */
public final class PageServerLog implements PageServerOptions.Listener {
  private static final Logger log = LoggerFactory.getLogger(PageServerLog.class);

  @Override
  public void addressTaken(InetSocketAddress address, String reason, Duration retry) {
    log.atWarn()
        .addKeyValue("address", address)
        .addKeyValue("retrySeconds", retry.toSeconds())
        .log("cannot listen, retrying: {}", reason);
  }

  @Override
  public void pageFailed(PageRequest request, RuntimeException bug) {
    log.atError().addKeyValue("request", request).setCause(bug).log("page failed");
  }
}
