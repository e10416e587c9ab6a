// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Refuses writes of a client that may not write: the last line of defence when a reconcile does not
 * end after the lease was lost. Reads always pass. Not for the client of the lease itself.
 */
public final class WriteFence implements Interceptor {
  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

  private final BooleanSupplier mayWrite;

  /**
   * A fence for {@code withHttpClientBuilderConsumer}.
   *
   * @param mayWrite e.g. whether this process is the leader
   */
  public WriteFence(BooleanSupplier mayWrite) {
    this.mayWrite = mayWrite;
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    if (!READS.contains(request.method()) && !mayWrite.getAsBoolean()) {
      throw new FencedException(request.method());
    }
  }

  /** A write that was refused by the fence, before it was sent. */
  public static final class FencedException extends KubernetesClientException {
    FencedException(String method) {
      super(method + " refused: not the leader");
    }
  }
}
