// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import static io.krypton.operator.release.decide.Revision.ReleaseStatus.DEPLOYED;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.FAILED;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.PENDING_INSTALL;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.PENDING_ROLLBACK;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.PENDING_UPGRADE;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.SUPERSEDED;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.UNINSTALLED;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.UNINSTALLING;
import static io.krypton.operator.release.decide.Revision.ReleaseStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.Labels;
import io.krypton.operator.release.decide.ReleaseDecider.DesiredState;
import io.krypton.operator.release.decide.ReleaseDecider.LockPolicy;
import io.krypton.operator.release.decide.ReleaseDecider.ObservedState;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.Cause;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.Confirm;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.Install;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.InstallOverHistory;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.Reinstall;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.UnlockByRollback;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.UnlockByUninstall;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.UpToDate;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.Upgrade;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.Wait;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReleaseDeciderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final LockPolicy LOCKS =
      new LockPolicy("us", Duration.ofMinutes(3), "dead"::equals);
  private static final Fingerprint WANTED = new Fingerprint("a".repeat(64));
  private static final Fingerprint OTHER = new Fingerprint("b".repeat(64));

  private static Stream<Arguments> row(String rule, Facts facts, ReleaseDecision decision) {
    return Stream.of(Arguments.of(rule, facts, decision));
  }

  static Stream<Arguments> rules() {
    return Stream.of(
            row("no revision: install", new Facts(), new Install(false)),
            row(
                "no revision but annotated: missing",
                new Facts().annotatedWith(WANTED),
                new Install(true)),
            row(
                "no revision yet, our process runs: wait",
                new Facts().whileRunning(),
                new Wait(null)),
            row(
                "deployed, same label: nothing",
                new Facts().with(1, DEPLOYED, WANTED),
                new UpToDate(false)),
            row(
                "deployed, same label, asked: announce",
                new Facts().with(1, DEPLOYED, WANTED).whenAsked(),
                new UpToDate(true)),
            row(
                "deployed, other label: upgrade",
                new Facts().with(1, DEPLOYED, OTHER),
                new Upgrade(Cause.CHANGED)),
            row(
                "deployed, other label although the annotation agrees: label decides",
                new Facts().with(1, DEPLOYED, OTHER).annotatedWith(WANTED),
                new Upgrade(Cause.CHANGED)),
            row(
                "deployed, same label although the annotation is old: label decides",
                new Facts().with(1, DEPLOYED, WANTED).annotatedWith(OTHER),
                new UpToDate(false)),
            row(
                "deployed by the original, same annotation: nothing",
                new Facts().with(1, DEPLOYED, null).annotatedWith(WANTED),
                new UpToDate(false)),
            row(
                "deployed by the original, other annotation: upgrade",
                new Facts().with(1, DEPLOYED, null).annotatedWith(OTHER),
                new Upgrade(Cause.CHANGED)),
            row(
                "deployed by somebody, no annotation: upgrade",
                new Facts().with(1, DEPLOYED, null),
                new Upgrade(Cause.CHANGED)),
            row(
                "deployed, same, forced: upgrade",
                new Facts().with(1, DEPLOYED, WANTED).whenForced(),
                new Upgrade(Cause.FORCED)),
            row(
                "failed, deployed before: upgrade",
                new Facts().with(1, DEPLOYED, WANTED).with(2, FAILED, WANTED),
                new Upgrade(Cause.FAILED_BEFORE)),
            row(
                "failed, superseded before: upgrade",
                new Facts().with(1, SUPERSEDED, OTHER).with(2, FAILED, WANTED),
                new Upgrade(Cause.FAILED_BEFORE)),
            row(
                "failed, never deployed: reinstall",
                new Facts().with(1, FAILED, WANTED),
                new Reinstall()),
            row(
                "failed twice, never deployed: reinstall",
                new Facts().with(1, FAILED, WANTED).with(2, FAILED, WANTED),
                new Reinstall()),
            row(
                "latest is superseded (somebody removed a Secret): upgrade",
                new Facts().with(1, SUPERSEDED, WANTED),
                new Upgrade(Cause.FAILED_BEFORE)),
            row(
                "latest is unknown, never deployed: reinstall",
                new Facts().with(1, UNKNOWN, WANTED),
                new Reinstall()),
            row(
                "uninstalling: uninstall again, then install",
                new Facts().with(1, DEPLOYED, WANTED).with(2, UNINSTALLING, WANTED),
                new Reinstall()),
            row(
                "uninstalled with history: install over it",
                new Facts().with(1, UNINSTALLED, WANTED),
                new InstallOverHistory()),
            row(
                "deployed and numbered by us, same label: nothing",
                new Facts().labelled(4, DEPLOYED, WANTED, 4).reported(3),
                new UpToDate(false)),
            row(
                "our labels copied by an upgrade by hand: no change is wanted, it is drift",
                new Facts()
                    .labelled(1, SUPERSEDED, WANTED, 1)
                    .labelled(2, DEPLOYED, WANTED, 1)
                    .annotatedWith(WANTED),
                new UpToDate(false)),
            row(
                "a rollback by hand to another fingerprint: it is drift, too",
                new Facts()
                    .labelled(1, SUPERSEDED, OTHER, 1)
                    .labelled(2, SUPERSEDED, WANTED, 2)
                    .labelled(3, DEPLOYED, OTHER, 1)
                    .annotatedWith(WANTED),
                new UpToDate(false)),
            row(
                "our labels copied, and something else is wanted since: upgrade",
                new Facts().labelled(2, DEPLOYED, WANTED, 1).annotatedWith(OTHER),
                new Upgrade(Cause.CHANGED)),
            row(
                "not numbered, and reported as such by the operator before: nothing",
                new Facts().with(3, DEPLOYED, WANTED).reported(3),
                new UpToDate(false)),
            row(
                "any state, our process runs: wait",
                new Facts().with(1, DEPLOYED, OTHER).whileRunning(),
                new Wait(null)))
        .flatMap(it -> it);
  }

  static Stream<Arguments> locks() {
    var young = NOW.minusSeconds(29);
    var old = NOW.minusSeconds(30);
    return Stream.of(
            row(
                "pending, our process runs: wait",
                new Facts().pending(1, PENDING_INSTALL, "us", NOW).whileRunning(),
                new Wait(null)),
            row(
                "pending-install of ours, nothing runs: uninstall at once",
                new Facts().pending(1, PENDING_INSTALL, "us", NOW),
                new UnlockByUninstall(1)),
            row(
                "pending-upgrade of ours, nothing runs: roll back at once",
                new Facts().with(1, DEPLOYED, OTHER).pending(2, PENDING_UPGRADE, "us", NOW),
                new UnlockByRollback(2, 1)),
            row(
                "pending of another instance, 29 s old: wait until it is 30 s old",
                new Facts().pending(1, PENDING_INSTALL, "them", young),
                new Wait(young.plusSeconds(30))),
            row(
                "pending of an instance that is known to have died: unlock at once",
                new Facts().pending(1, PENDING_INSTALL, "dead", young),
                new UnlockByUninstall(1)),
            row(
                "pending of another instance, 30 s old: unlock",
                new Facts().pending(1, PENDING_INSTALL, "them", old),
                new UnlockByUninstall(1)),
            row(
                "pending of somebody's Helm, timeout + 59 s old: wait",
                new Facts().pending(1, PENDING_INSTALL, null, NOW.minusSeconds(239)),
                new Wait(NOW.plusSeconds(1))),
            row(
                "pending of somebody's Helm, timeout + 60 s old: unlock",
                new Facts().pending(1, PENDING_INSTALL, null, NOW.minusSeconds(240)),
                new UnlockByUninstall(1)),
            row(
                "pending-rollback: roll back again",
                new Facts()
                    .with(1, SUPERSEDED, OTHER)
                    .with(2, DEPLOYED, WANTED)
                    .with(3, FAILED, OTHER)
                    .pending(4, PENDING_ROLLBACK, "us", NOW),
                new UnlockByRollback(4, 2)),
            row(
                "no deployed revision left: roll back to the last superseded one",
                new Facts()
                    .with(1, SUPERSEDED, OTHER)
                    .with(2, SUPERSEDED, WANTED)
                    .pending(3, PENDING_UPGRADE, "us", NOW),
                new UnlockByRollback(3, 2)),
            row(
                "a stale pending revision below the latest does not count",
                new Facts()
                    .with(1, SUPERSEDED, WANTED)
                    .pending(2, PENDING_UPGRADE, "them", old)
                    .with(3, DEPLOYED, WANTED),
                new UpToDate(false)),
            row(
                "pending with our labels copied by somebody's Helm: wait as for anybody",
                new Facts()
                    .labelled(1, DEPLOYED, WANTED, 1)
                    .labelled(2, PENDING_UPGRADE, WANTED, 1),
                new Wait(NOW.plusSeconds(240))),
            row(
                "pending-rollback by hand, with the labels of the revision it goes back to: wait",
                new Facts()
                    .labelled(1, SUPERSEDED, OTHER, 1)
                    .labelled(2, DEPLOYED, WANTED, 2)
                    .labelled(3, PENDING_ROLLBACK, OTHER, 1),
                new Wait(NOW.plusSeconds(240))),
            row(
                "a rollback of ours that died: the revision it goes back to was numbered for it",
                new Facts()
                    .labelled(1, DEPLOYED, OTHER, 3)
                    .labelled(2, FAILED, WANTED, 2)
                    .labelled(3, PENDING_ROLLBACK, OTHER, 3),
                new UnlockByRollback(3, 1)))
        .flatMap(it -> it);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"rules", "locks"})
  void the_latest_revision_decides(String rule, Facts facts, ReleaseDecision expected) {
    assertThat(decide(facts, true)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"rules", "locks"})
  void nothing_is_done_to_a_release_on_the_word_of_a_cache(
      String rule, Facts facts, ReleaseDecision live) {
    var harmless = live instanceof UpToDate || live instanceof Wait;
    assertThat(decide(facts, false)).isEqualTo(harmless ? live : new Confirm());
  }

  private static ReleaseDecision decide(Facts facts, boolean live) {
    return ReleaseDecider.whatNext(
        new ObservedState(
            new ReleaseHistory(facts.revisions),
            live,
            facts.annotated,
            facts.reported,
            facts.lockedSince,
            facts.running),
        new DesiredState(WANTED, facts.forced, facts.asked),
        LOCKS,
        NOW);
  }

  record Facts(
      List<Revision> revisions,
      @Nullable String annotated,
      int reported,
      Instant lockedSince,
      boolean running,
      boolean forced,
      boolean asked) {

    Facts() {
      this(List.of(), null, 0, NOW, false, false, false);
    }

    /** As operators made them that did not number their revisions, or the original. */
    Facts with(int version, ReleaseStatus status, @Nullable Fingerprint fingerprint) {
      return plus(
          version,
          status,
          fingerprint == null ? Map.of() : Map.of(Labels.FINGERPRINT, fingerprint.label()));
    }

    /** Labels of ours that were written for one revision, found on one. */
    Facts labelled(int version, ReleaseStatus status, Fingerprint fingerprint, int writtenFor) {
      return plus(
          version,
          status,
          Map.of(
              Labels.FINGERPRINT,
              fingerprint.label(),
              Labels.INSTANCE,
              "us",
              Labels.REVISION,
              Integer.toString(writtenFor)));
    }

    Facts pending(int version, ReleaseStatus status, @Nullable String instance, Instant since) {
      var labels =
          instance == null
              ? Map.of(Labels.FINGERPRINT, WANTED.label())
              : Map.of(Labels.INSTANCE, instance, Labels.REVISION, Integer.toString(version));
      return plus(version, status, labels).lockedSince(since);
    }

    private Facts plus(int version, ReleaseStatus status, Map<String, String> labels) {
      var added = new Revision(version, status, labels, "uid-" + version);
      // Newest first on purpose: the order in which Secrets are listed must not matter.
      var all = Stream.concat(Stream.of(added), revisions.stream()).toList();
      return new Facts(all, annotated, reported, lockedSince, running, forced, asked);
    }

    Facts annotatedWith(Fingerprint fingerprint) {
      return new Facts(revisions, fingerprint.hex(), reported, lockedSince, running, forced, asked);
    }

    Facts reported(int revision) {
      return new Facts(revisions, annotated, revision, lockedSince, running, forced, asked);
    }

    Facts lockedSince(Instant since) {
      return new Facts(revisions, annotated, reported, since, running, forced, asked);
    }

    Facts whileRunning() {
      return new Facts(revisions, annotated, reported, lockedSince, true, forced, asked);
    }

    Facts whenForced() {
      return new Facts(revisions, annotated, reported, lockedSince, running, true, asked);
    }

    Facts whenAsked() {
      return new Facts(revisions, annotated, reported, lockedSince, running, forced, true);
    }
  }
}
