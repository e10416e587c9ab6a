// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import java.time.Duration;

/** The API server, as far as the agent needs it. */
public interface ApiServer extends AutoCloseable {
  /**
   * One attempt without retries inside.
   *
   * @param limit for the whole call, connecting included
   * @throws InterruptedException when the caller was asked to stop; the request is abandoned
   */
  ApiResult call(ApiRequest call, Duration limit) throws InterruptedException;

  @Override
  void close();
}
