// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import io.krypton.agent.kube.CredentialSource.CredentialState.NotYet;
import io.krypton.agent.kube.CredentialSource.CredentialState.Ready;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link ApiServer} that follows the credentials on disk: the client is built at the first call,
 * replaced when they change, and never trusted again once a call went unanswered, because a pooled
 * connection into a black hole would swallow the next call too. Used by one thread.
 */
public final class ApiConnection implements ApiServer {
  private static final Logger log = LoggerFactory.getLogger(ApiConnection.class);

  private final ReloadingCredentials reloadingCredentials;
  private @Nullable ApiClient client;
  private boolean retriedAfterUnauthorized;
  private boolean warned;

  public ApiConnection(ReloadingCredentials reloadingCredentials) {
    this.reloadingCredentials = reloadingCredentials;
  }

  @Override
  public ApiResult call(ApiRequest call, Duration limit) throws InterruptedException {
    var result = attempt(call, limit);
    if (result instanceof ApiResult.Unauthorized) {
      reloadingCredentials.invalidate();
      // One second try at once, in case the token on disk is newer than the one that was sent.
      if (!retriedAfterUnauthorized) {
        retriedAfterUnauthorized = true;
        return attempt(call, limit);
      }
      return result;
    }
    if (result instanceof ApiResult.Done) {
      retriedAfterUnauthorized = false;
    }
    return result;
  }

  private ApiResult attempt(ApiRequest call, Duration limit) throws InterruptedException {
    return switch (reloadingCredentials.current()) {
      case NotYet(var reason) -> {
        close();
        yield new ApiResult.NoAccess(reason);
      }
      case Ready(var access) -> attempt(call, limit, access);
    };
  }

  private ApiResult attempt(ApiRequest call, Duration limit, ApiClientConfig access)
      throws InterruptedException {
    ApiClient current;
    try {
      current = clientFor(access);
    } catch (UnusableCredentialsException e) {
      return new ApiResult.NoAccess(e.reason());
    }
    var result = current.send(call, limit);
    if (result instanceof ApiResult.Unreachable) {
      close();
    }
    return result;
  }

  private ApiClient clientFor(ApiClientConfig access) throws UnusableCredentialsException {
    var existing = client;
    if (existing != null && existing.access().equals(access)) {
      return existing;
    }
    if (existing != null) {
      log.atInfo().addKeyValue("server", access.server()).log("credentials changed: reconnecting");
    }
    close();
    var fresh = ApiClient.connectTo(access);
    if (access.skipTlsVerify() && !warned) {
      warned = true;
      log.atWarn()
          .addKeyValue("server", access.server())
          .log("insecure-skip-tls-verify: anybody can pass for this API server");
    }
    client = fresh;
    return fresh;
  }

  @Override
  public void close() {
    var existing = client;
    client = null;
    if (existing != null) {
      existing.close();
    }
  }
}
