package io.krypton.cli.plan;

/** Either a release that an object asks for, or why none would be touched. */
sealed interface Wish {
  record Wants(WantedRelease release) implements Wish {}

  record Nothing(ReleasePlan told) implements Wish {}
}
