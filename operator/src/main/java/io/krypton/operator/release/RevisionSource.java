// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.api.event.EventReason;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutTargetState;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.target.ObservedOwner;
import io.krypton.operator.release.values.ChartValues;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Says which chart and which central values each owner gets on a cluster, and when. */
public interface RevisionSource {
  /**
   * Never blocks; an owner is enqueued when its answer changes.
   *
   * @param observed the owner as caches show it, if that matters
   * @return empty if nothing is known yet: then nothing is done, and nothing is said about it
   */
  Optional<Assignment> revisionFor(Supplier<ObservedOwner> observed);

  /**
   * What is rolled out beneath an owner's own values.
   *
   * @param centralValues beneath the values of each owner
   * @param identity of the revision of a class; null for what flags say
   */
  record ReleaseRevision(
      ChartRef chart, ChartValues centralValues, @Nullable RevisionIdentity identity) {

    /** What flags say. */
    public ReleaseRevision(ChartRef chart, ChartValues centralValues) {
      this(chart, centralValues, null);
    }

    Fingerprint fingerprint(String version, ChartValues merged) {
      return Fingerprint.of(chart.repo(), chart.name(), version, merged);
    }

    /** As status shows it. */
    String displayName(String version) {
      return chart.repo() + "/" + chart.name() + ":" + version;
    }

    /** What is written on each release of it; null for what flags say. */
    @Nullable String label() {
      return identity == null ? null : identity.label();
    }

    /** Whether the chart is the very one that was accepted. */
    boolean isOf(ChartResult.Loaded loaded) {
      return identity == null
          || identity.digest() == null
          || identity.digest().equals(loaded.digest());
    }
  }

  /**
   * Names a revision of a class.
   *
   * @param hash of all that is rolled out
   * @param digest of the chart; null if any content of this version will do
   */
  record RevisionIdentity(String hash, @Nullable String digest) {
    private static final int MAX_LABEL_LENGTH = 63;

    public String label() {
      return hash.substring(0, Math.min(MAX_LABEL_LENGTH, hash.length()));
    }
  }

  /**
   * Where an owner stands in the rollout of its class.
   *
   * @param state now
   * @param whenReady the state as soon as the release is ready
   */
  record RolloutPosition(
      String rollout, String wave, RolloutTargetState state, RolloutTargetState whenReady) {}

  /** What an owner is to do. */
  sealed interface Assignment {

    /** Null if nothing may be rolled out. */
    @Nullable ReleaseRevision revision();

    /** Null if no rollout is under way, or none that concerns it. */
    @Nullable RolloutPosition position();

    /** Roll out this revision now. */
    record Use(ReleaseRevision revision, @Nullable RolloutPosition position)
        implements Assignment {}

    /**
     * Wait for another revision. Meanwhile the release is kept as it is: inspected, repaired, and
     * with the owner's own values of today.
     *
     * @param revision the one that the release is on; null if nothing may be rolled out
     */
    record Hold(
        @Nullable ReleaseRevision revision,
        String reason,
        String message,
        @Nullable RolloutPosition position)
        implements Assignment {}

    /** The owner asks for what its class does not give; the release stays as it is. */
    record Refuse(EventReason reason, String message) implements Assignment {
      @Override
      public @Nullable ReleaseRevision revision() {
        return null;
      }

      @Override
      public @Nullable RolloutPosition position() {
        return null;
      }
    }

    /**
     * A release as the status shows it, with its place in the rollout of its class.
     *
     * @param result of the run, if it has ended
     */
    default Release inStatus(Release release, Optional<RolloutResult> result) {
      var revision = revision();
      if (revision == null || revision.identity() == null) {
        return release;
      }
      var place = position();
      var isApplied = result.flatMap(RolloutResult::appliedRelease).isPresent();
      var isReady = this instanceof Use && result.filter(RolloutResult::isReady).isPresent();
      return new Release(
          release.cluster(),
          release.name(),
          release.namespace(),
          release.revision(),
          release.fingerprint(),
          isApplied ? revision.chart().version() : release.chartVersion(),
          place == null ? null : place.rollout(),
          place == null ? null : place.wave(),
          place == null ? null : isReady ? place.whenReady() : place.state());
    }

    /** Rolls out what is assigned. */
    default RolloutResult carryOut(Step step) throws InterruptedException {
      return switch (this) {
        case Use(var revision, var position) -> step.rollOut(revision);
        case Hold(var revision, var reason, var message, var position) ->
            revision == null
                ? new RolloutResult.Held(null, reason, message)
                : step.rollOut(revision).held(reason, message);
        case Refuse(var reason, var message) -> new RolloutResult.Refused(reason, message);
      };
    }

    /** Brings a release to a revision. */
    interface Step {
      RolloutResult rollOut(ReleaseRevision revision) throws InterruptedException;
    }
  }

  /** One revision for everybody, as flags give it. */
  record SingleRevision(ReleaseRevision revision) implements RevisionSource {
    @Override
    public Optional<Assignment> revisionFor(Supplier<ObservedOwner> observed) {
      return Optional.of(new Assignment.Use(revision, null));
    }
  }
}
