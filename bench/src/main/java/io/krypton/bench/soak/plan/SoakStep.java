// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.plan;

import java.time.Duration;

/** Something that happens at a certain time after the beginning. */
public sealed interface SoakStep {
  Duration at();

  /**
   * Trouble for the operators.
   *
   * @param strength how bad it is, from 0 to 99, where that makes a difference
   */
  record FaultStep(
      Duration at, SoakFault fault, FaultTarget target, Duration duration, int strength)
      implements SoakStep {
    Duration end() {
      return at.plus(duration);
    }

    @Override
    public String toString() {
      return "%s %s for %d s".formatted(fault, target, duration.toSeconds());
    }
  }

  /**
   * Somebody changes a Tenant, or what belongs to it.
   *
   * @param value what is written, where something is written; also for how many seconds it stays
   *     suspended
   */
  record TenantStep(Duration at, TenantEdit edit, int tenant, int value) implements SoakStep {
    @Override
    public String toString() {
      return "%s %d %d".formatted(edit, tenant, value);
    }
  }

  /**
   * What is struck.
   *
   * @param replica {@code a}, {@code b}, both together, or none
   * @param place {@link FaultTarget#HOME}, the name of an edge, or none
   */
  record FaultTarget(String replica, String place) {
    public static final String HOME = "home";
    public static final String BOTH = "ab";
    static final String NONE = "";

    static FaultTarget replica(String replica) {
      return new FaultTarget(replica, NONE);
    }

    static FaultTarget place(String place) {
      return new FaultTarget(NONE, place);
    }

    /** The name of an edge by its number, from zero on. */
    public static String edge(int number) {
      return "edge-" + (number + 1);
    }

    /** Whether neither replica gets through to this place. */
    boolean closesPlace() {
      return !place.equals(NONE) && (replica.equals(NONE) || replica.equals(BOTH));
    }

    boolean overlaps(FaultTarget other) {
      var samePlace = place.equals(other.place);
      var sameReplica =
          replica.equals(other.replica)
              || replica.contains(other.replica)
              || other.replica.contains(replica);
      return samePlace && sameReplica;
    }

    @Override
    public String toString() {
      return (replica + " " + place).strip();
    }
  }
}
