package io.krypton.multicluster.cluster.home;

/** Whether the credentials for home are known. */
public sealed interface HomeStatus {
  record Available() implements HomeStatus {}

  /** Not yet, or not any more in a usable form; what was known before stays in use. */
  record Waiting(String why) implements HomeStatus {}
}
