package io.krypton.kms.probe;

import java.util.Set;

/**
 * The version of the KMS API that an API server goes by: the first one that it knows and has seen,
 * whatever else the answer said, for as long as it runs. Only a restart makes it take another.
 */
public final class FirstVersion {
  private final ApiServerLife life;
  private String first = "";
  private Set<String> seenBy = Set.of();

  public FirstVersion() {
    this(ApiServerLife.ofThisHost());
  }

  FirstVersion(ApiServerLife life) {
    this.life = life;
  }

  /** The version that an API server expects now that this one is there, which it knows. */
  public String expected(String version) {
    if (first.isEmpty() || isForgotten(version)) {
      first = version;
    }
    if (first.equals(version)) {
      seenBy = life.marks();
    }
    return first;
  }

  /** Where no API server was seen while the version was the first one, nothing is known. */
  private boolean isForgotten(String version) {
    return !first.equals(version) && !seenBy.isEmpty() && !seenBy.equals(life.marks());
  }
}
