package io.krypton.operator.helm;

import io.krypton.operator.release.ReleaseName;

/** A release among those of all clusters. */
public record ReleaseKey(String cluster, String namespace, ReleaseName name) {

  @Override
  public String toString() {
    return cluster + "/" + namespace + "/" + name;
  }
}
