package io.krypton.multicluster.cluster.client;

import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
import org.jspecify.annotations.Nullable;

/** Gives the bearer token for each request; must be quick and must not throw. */
@FunctionalInterface
public interface TokenSource {
  @Nullable String current();

  /** The token that the kubeconfig holds, if any. */
  static TokenSource of(Kubeconfig.Accepted kubeconfig) {
    return () -> kubeconfig.credentials().token();
  }
}
