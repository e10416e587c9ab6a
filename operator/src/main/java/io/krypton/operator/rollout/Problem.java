package io.krypton.operator.rollout;

/** Why a rollout does not get on; the word is the reason that users see in conditions. */
public enum Problem {
  INSTALL_FAILED("InstallFailed", Weight.FATAL, Cure.TIME),
  UPGRADE_FAILED("UpgradeFailed", Weight.FATAL, Cure.TIME),
  HELM_CONFIG_INIT_FAILED("HelmConfigInitFailed", Weight.FATAL, Cure.TIME),
  WORKSPACE_CREATE_FAILED("WorkspaceCreateFailed", Weight.FATAL, Cure.TIME),
  NAMESPACE_CONFLICT("NamespaceConflict", Weight.FATAL, Cure.ANOTHER_OBJECT),
  RESERVED_NAMESPACE("ReservedNamespace", Weight.FATAL, Cure.THE_USER),
  VALUES_NOT_FOUND("ValuesNotFound", Weight.FATAL, Cure.TIME),
  VALUES_INVALID("ValuesInvalid", Weight.FATAL, Cure.TIME),
  CHART_DIGEST_MISMATCH("ChartDigestMismatch", Weight.FATAL, Cure.TIME),
  WORKLOADS_NOT_READY("WorkloadsNotReady", Weight.FATAL, Cure.ANOTHER_OBJECT),
  CHART_NOT_LOADED("ChartNotLoaded", Weight.FORGIVABLE, Cure.TIME),
  VERSION_NOT_FOUND("VersionNotFound", Weight.FORGIVABLE, Cure.TIME),
  VERSION_INVALID("VersionInvalid", Weight.FORGIVABLE, Cure.THE_USER);

  private enum Weight {
    FATAL,
    FORGIVABLE
  }

  /** What can end the problem, and so what we wait for. */
  private enum Cure {
    TIME,
    ANOTHER_OBJECT,
    THE_USER
  }

  private final String word;
  private final Weight weight;
  private final Cure cure;

  Problem(String word, Weight weight, Cure cure) {
    this.word = word;
    this.weight = weight;
    this.cure = cure;
  }

  public String word() {
    return word;
  }

  /** A chart that cannot be had need not count as an error of the objects that want it. */
  public boolean isForgivable() {
    return weight == Weight.FORGIVABLE;
  }

  /** Trying again changes nothing: only a watch or a user brings news. */
  public boolean waitsForNews() {
    return cure != Cure.TIME;
  }
}
