package io.krypton.multicluster.cluster;

/** Why a cluster was let go. */
public enum DisengageReason {
  LABEL_REMOVED("its Secret no longer carries the discovery label"),
  LABEL_CHANGED("the discovery label of its Secret changed"),
  SECRET_DELETED("its Secret was deleted"),
  SECRET_TERMINATING("its Secret is being deleted"),
  NOT_LISTED("its Secret is no longer listed"),
  NO_LONGER_REFERRED_TO("no object refers to its Secret any more"),
  KUBECONFIG_CHANGED("its kubeconfig changed"),
  SHUTDOWN("the process stops");

  private final String explanation;

  DisengageReason(String explanation) {
    this.explanation = explanation;
  }

  public String explanation() {
    return explanation;
  }

  /** With another kubeconfig or label it is still the same cluster: what runs there may end. */
  public boolean comesBack() {
    return this == KUBECONFIG_CHANGED || this == LABEL_CHANGED;
  }
}
