package io.krypton.multicluster.cluster.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;

/** What a definition that we may not change means for our work. */
public sealed interface Compatibility {
  record Compatible() implements Compatibility {}

  /** Work goes on without what it lacks. */
  record Outdated(String what) implements Compatibility {}

  /** Our objects could not be stored in it. */
  record Incompatible(String why) implements Compatibility {}

  /** Judges a definition that is served against the one we would have written. */
  @FunctionalInterface
  interface Check {
    Compatibility judge(CustomResourceDefinition served, CustomResourceDefinition ours);
  }
}
