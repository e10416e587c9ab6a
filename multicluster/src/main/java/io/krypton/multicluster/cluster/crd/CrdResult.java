package io.krypton.multicluster.cluster.crd;

/** What became of one definition on one cluster. */
public sealed interface CrdResult {
  String crd();

  record Created(String crd) implements CrdResult {}

  record Upgraded(String crd) implements CrdResult {}

  /** Served as it is: ours of this version or newer, or a compatible one of somebody else. */
  record UpToDate(String crd) implements CrdResult {}

  record Outdated(String crd, String what) implements CrdResult {}

  record Incompatible(String crd, String why) implements CrdResult {}

  record Failed(String crd, String why) implements CrdResult {}
}
