package io.krypton.operator.kmshealth.verdict;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.condition.Conditions;
import io.krypton.operator.kmshealth.convergence.KeyConvergence;
import io.krypton.operator.kmshealth.convergence.KeyFacts;
import io.krypton.operator.kmshealth.convergence.KeyVerdict;
import io.krypton.operator.kmshealth.convergence.WriteKey;
import io.krypton.operator.kmshealth.evidence.Moment;
import io.krypton.operator.kmshealth.report.KeyId;
import io.krypton.operator.kmshealth.report.NodeReport;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One look at one object: what is seen and what is remembered give what is to be said. Pure. */
public final class Aggregation {
  private static final Comparator<Notice> NOTICE_ORDER =
      Comparator.comparing(Notice::node).thenComparing(Notice::kind);

  private final Memory memory;
  private final Observation seen;
  private final Patience patience;
  private final Moment now;
  private final Deadlines deadlines;

  /** What is reported, without what was left behind. */
  private final SortedMap<String, NodeReport> live;

  private final ReportPlaces places;

  private Aggregation(Memory memory, Observation seen, Patience patience) {
    this.memory = memory;
    this.seen = seen;
    this.patience = patience;
    this.now = seen.now();
    this.deadlines = new Deadlines(now);
    this.places = memory.places().next(seen.reports(), seen.heartbeats().keySet(), now.uptime());
    this.live = places.live(seen.reports());
  }

  public static Conclusion of(Memory memory, Observation seen, Patience patience) {
    return new Aggregation(memory.at(seen.now()), seen, patience).conclude();
  }

  private Conclusion conclude() {
    var roster = Roster.of(memory, seen, patience, deadlines);
    if (!isInUse(roster)) {
      return notInUse(roster);
    }
    var neverKnown = !roster.expected().isCertain() && roster.expected().nodes().isEmpty();
    return neverKnown ? asPublished(roster) : inUse(roster);
  }

  /** Who is expected could not be read yet: what an earlier process said stands. */
  private Conclusion asPublished(Roster roster) {
    var published = seen.published();
    var next =
        new Memory(
            memory.startedAt(),
            now,
            memory.inUseSince() == null ? now.uptime() : memory.inUseSince(),
            roster.expected(),
            roster.tracks(),
            Map.of(),
            Map.of(),
            Map.of(),
            KeySets.NONE,
            places,
            Set.of(),
            null,
            published.convergence());
    return new Conclusion(
        next,
        true,
        published.degraded(),
        published.converged(),
        published.oldKeys(),
        published.nodes(),
        seen.wanted().writeKey(),
        false,
        published.convergence(),
        false,
        Set.of(),
        Set.of(),
        Set.of(),
        deadlines.pause());
  }

  /** Where nobody says so, KMS is in use as long as somebody reports about it. */
  private boolean isInUse(Roster roster) {
    var said = seen.wanted().inUse();
    return said == null
        ? seen.nodes().stream().anyMatch(node -> !roster.isUnchangedFor(node, patience.orphan()))
        : said;
  }

  private Conclusion notInUse(Roster roster) {
    var orphans = new TreeSet<String>();
    for (var node : seen.nodes()) {
      if (roster.isUnchangedFor(node, patience.orphan())) {
        orphans.add(node);
      } else {
        deadlines.at(roster.quietSince(node).plus(patience.orphan()));
      }
    }
    var next =
        new Memory(
            memory.startedAt(),
            now,
            null,
            roster.expected(),
            roster.tracks(),
            Map.of(),
            Map.of(),
            Map.of(),
            KeySets.NONE,
            places,
            Set.of(),
            null,
            null);
    return new Conclusion(
        next,
        false,
        null,
        null,
        null,
        List.of(),
        null,
        false,
        null,
        false,
        Set.of(),
        orphans,
        Set.of(),
        deadlines.pause());
  }

  private Conclusion inUse(Roster roster) {
    var inUseSince = memory.inUseSince() == null ? now.uptime() : memory.inUseSince();
    var keySets = memory.keySets().next(roster.expected().nodes().keySet(), live, now.uptime());
    var named = new TreeSet<>(seen.wanted().keyIds());
    var writes =
        WriteKey.of(
            seen.wanted().writeKey(), roster.heard(live), named.isEmpty() ? keySets.all() : named);
    var writeKey = writes.key();
    var items =
        new ItemLooks(
                memory, seen.withReports(live), patience, roster, keySets, inUseSince, deadlines)
            .tracks();
    var shown = new TreeMap<Item, Finding>();
    items.forEach((item, track) -> shown.put(item, track.shown()));
    var verdict = keyVerdict(roster, writes);
    var notices = roster.notices();
    var told = new TreeSet<Notice>(NOTICE_ORDER);
    told.addAll(notices);
    told.removeAll(memory.told());
    var next =
        new Memory(
            memory.startedAt(),
            now,
            inUseSince,
            roster.expected(),
            roster.tracks(),
            roster.expectedSince(),
            roster.outsideSince(),
            items,
            keySets,
            places,
            notices,
            verdict.agreement(),
            verdict.stored());
    return new Conclusion(
        next,
        true,
        degraded(shown, writeKey),
        Conditions.stamped(verdict.condition(), seen.published().conditions(), now.wall()),
        oldKeys(roster),
        Nodes.of(roster.expected(), shown, seen.published(), now.wall()),
        writeKey,
        fails(shown, writeKey),
        verdict.stored(),
        verdict.reused(),
        told,
        roster.orphans(),
        roster.suspects(),
        deadlines.pause());
  }

  private @Nullable Condition degraded(SortedMap<Item, Finding> shown, @Nullable KeyId writeKey) {
    var published = seen.published().degraded();
    var next = Rollup.of(shown, writeKey, published);
    if (next == null || next.equals(published)) {
      return next;
    }
    if (published == null) {
      return next.since(now.wall());
    }
    if (next.status() == ConditionStatus.FALSE && published.status() != ConditionStatus.FALSE) {
      if (!now.isOver(memory.startedAt(), patience.recovery())) {
        // Who has just begun to look cannot know that it has been well for long enough.
        deadlines.at(memory.startedAt().plus(patience.recovery()));
        return published;
      }
      return next.since(now.wall());
    }
    // True and Unknown are one stretch of trouble: inertia counts from its beginning.
    var same =
        (next.status() == ConditionStatus.FALSE) == (published.status() == ConditionStatus.FALSE);
    var since = published.lastTransitionTime();
    return next.since(same && since != null ? since : now.wall());
  }

  private @Nullable Condition oldKeys(Roster roster) {
    var next =
        OldKeyRollup.of(
            roster.expected().nodes().keySet(),
            live,
            seen.wanted().retiredKeys(),
            seen.published().oldKeys());
    return next == null
        ? null
        : Conditions.stamped(next, seen.published().conditions(), now.wall());
  }

  private static boolean fails(SortedMap<Item, Finding> shown, @Nullable KeyId writeKey) {
    return shown.entrySet().stream()
        .anyMatch(
            item ->
                writeKey != null
                    && writeKey.equals(item.getKey().keyId())
                    && item.getValue() instanceof Finding.Failing failing
                    && failing.trouble().isKnownBad());
  }

  private KeyVerdict keyVerdict(Roster roster, WriteKey writeKey) {
    var stored = seen.published().convergence();
    var verdict =
        KeyConvergence.judge(
            new KeyFacts(
                writeKey,
                roster.claims(writeKey.key(), live),
                roster.isLearned(),
                memory.agreement(),
                memory.keySets().changedAt() == null,
                stored == null ? memory.convergence() : stored,
                seen.published().converged(),
                seen.wanted().convergedFor(),
                now));
    deadlines.at(verdict.nextChange());
    return verdict;
  }

  static Duration latest(Duration... times) {
    var latest = times[0];
    for (var time : times) {
      latest = time.compareTo(latest) > 0 ? time : latest;
    }
    return latest;
  }
}
