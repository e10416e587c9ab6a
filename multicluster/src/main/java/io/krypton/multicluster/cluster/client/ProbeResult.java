package io.krypton.multicluster.cluster.client;

/** What a GET of /version told about a cluster. */
public sealed interface ProbeResult {
  /** It is there and knows us. */
  record Alive(String version) implements ProbeResult {}

  /** It is not there for us; the failure says why. */
  record Failed(Failure failure) implements ProbeResult {}
}
