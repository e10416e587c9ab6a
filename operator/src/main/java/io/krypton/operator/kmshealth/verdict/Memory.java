package io.krypton.operator.kmshealth.verdict;

import io.krypton.api.kmshealth.Convergence;
import io.krypton.operator.kmshealth.convergence.Agreement;
import io.krypton.operator.kmshealth.evidence.Moment;
import io.krypton.operator.kmshealth.evidence.NodeTrack;
import io.krypton.operator.kmshealth.verdict.Expectation.Expected;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the aggregator remembers of one object from one look to the next. It begins anew with each
 * process and each term of leadership; all times are of the monotonic clock.
 *
 * @param lookedAt the last look; null before the first
 * @param inUseSince null while KMS is not in use
 * @param expectedSince since when each node has been expected
 * @param outsideSince since when each node that is there has not been expected
 * @param keySets which plugins each node reports
 * @param places when each place of a node's report last changed
 * @param told what was announced about a node and still holds
 */
public record Memory(
    Duration startedAt,
    @Nullable Moment lookedAt,
    @Nullable Duration inUseSince,
    Expected expected,
    Map<String, NodeTrack> nodes,
    Map<String, Duration> expectedSince,
    Map<String, Duration> outsideSince,
    Map<Item, ItemTrack> items,
    KeySets keySets,
    ReportPlaces places,
    Set<Notice> told,
    @Nullable Agreement agreement,
    @Nullable Convergence convergence) {

  public Memory {
    nodes = Map.copyOf(nodes);
    expectedSince = Map.copyOf(expectedSince);
    outsideSince = Map.copyOf(outsideSince);
    items = Map.copyOf(items);
    told = Set.copyOf(told);
  }

  boolean firstLook() {
    return lookedAt == null;
  }

  /**
   * After a long pause, of the process or of the machine, what was seen before is void: the nodes
   * may have spoken all the while, and nobody listened.
   */
  Memory at(Moment now) {
    return lookedAt != null && now.isLongAfter(lookedAt) ? startingAt(now) : this;
  }

  public static Memory startingAt(Moment now) {
    return new Memory(
        now.uptime(),
        null,
        null,
        Expected.NOTHING,
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        KeySets.NONE,
        ReportPlaces.NONE,
        Set.of(),
        null,
        null);
  }
}
