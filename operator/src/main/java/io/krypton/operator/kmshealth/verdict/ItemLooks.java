package io.krypton.operator.kmshealth.verdict;

import io.krypton.operator.kmshealth.evidence.Freshness;
import io.krypton.operator.kmshealth.evidence.Moment;
import io.krypton.operator.kmshealth.report.KeyId;
import io.krypton.operator.kmshealth.report.NodeReport;
import io.krypton.operator.kmshealth.report.PluginReport;
import io.krypton.operator.kmshealth.report.Reported;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Looks at each plugin of each expected node, and remembers what is shown of it. */
final class ItemLooks {
  private final Memory memory;
  private final Observation seen;
  private final Patience patience;
  private final Roster roster;
  private final KeySets keySets;
  private final Duration inUseSince;
  private final Deadlines deadlines;
  private final Moment now;

  ItemLooks(
      Memory memory,
      Observation seen,
      Patience patience,
      Roster roster,
      KeySets keySets,
      Duration inUseSince,
      Deadlines deadlines) {
    this.memory = memory;
    this.seen = seen;
    this.patience = patience;
    this.roster = roster;
    this.keySets = keySets;
    this.inUseSince = inUseSince;
    this.deadlines = deadlines;
    this.now = seen.now();
  }

  Map<Item, ItemTrack> tracks() {
    var tracks = new TreeMap<Item, ItemTrack>();
    for (var node : roster.expected().nodes().keySet()) {
      var freshness = roster.freshness(node);
      for (var item : itemsOf(node)) {
        tracks.put(item, look(item, seen.reports().get(node), freshness));
      }
    }
    return tracks;
  }

  private List<Item> itemsOf(String node) {
    var items = keysOf(node).stream().map(key -> new Item(node, key)).toList();
    return items.isEmpty() ? List.of(new Item(node, null)) : items;
  }

  /** Those that the spec names, else those that the node reports and those that only it lacks. */
  private SortedSet<KeyId> keysOf(String node) {
    if (!seen.wanted().keyIds().isEmpty()) {
      return new TreeSet<>(seen.wanted().keyIds());
    }
    var keys = keySets.of(node);
    for (var key : keySets.all()) {
      var lacking = keySets.lackingAlone(node, key);
      if (lacking.isPresent() && seen.reports().containsKey(node)) {
        deadlines.at(lacking.get().plus(patience.rollout()));
        if (now.isOver(lacking.get(), patience.rollout())) {
          keys.add(key);
        }
      }
    }
    return keys;
  }

  private ItemTrack look(Item item, @Nullable NodeReport report, Freshness freshness) {
    var plugin = report == null || item.keyId() == null ? null : report.plugins().get(item.keyId());
    var before = before(item);
    var lacking =
        plugin != null
            ? null
            : before.lackingSince() == null ? now.uptime() : before.lackingSince();
    var firstError = firstError(before, plugin);
    var found =
        Judgement.of(
            new Judgement.Facts(
                report != null && report.malformed(),
                plugin,
                freshness,
                lacking != null && (isLackedAlone(item) || isGraceOver(item.node(), lacking)),
                isConfirmed(item.node(), plugin, firstError),
                seen.leaseNotes().get(item.node())));
    var next = before.with(lacking, firstError).next(found, now, patience.recovery());
    deadlines.at(next.nextChange(now, patience.recovery()));
    return next;
  }

  /** Then its grace is over already, else it would not be looked at. */
  private boolean isLackedAlone(Item item) {
    return seen.wanted().keyIds().isEmpty()
        && item.keyId() != null
        && seen.reports().containsKey(item.node())
        && keySets.lackingAlone(item.node(), item.keyId()).isPresent();
  }

  /** What was shown of a whole node passes to its plugins once they are known. */
  private ItemTrack before(Item item) {
    var own = memory.items().get(item);
    return own != null
        ? own
        : memory.items().getOrDefault(new Item(item.node(), null), ItemTrack.NEW);
  }

  private boolean isGraceOver(String node, Duration lacking) {
    var begin =
        Aggregation.latest(
            memory.startedAt(),
            inUseSince,
            roster.expectedSince().getOrDefault(node, now.uptime()),
            lacking);
    deadlines.at(begin.plus(patience.report()));
    return now.isOver(begin, patience.report());
  }

  private static @Nullable Instant firstError(ItemTrack before, @Nullable PluginReport plugin) {
    if (plugin == null || plugin.reported() != Reported.ERROR) {
      return null;
    }
    return before.firstError() == null ? plugin.lastChecked() : before.firstError();
  }

  /**
   * Our reporters have made sure of an error before they report it: they name a cause, or have a
   * Lease. From others the same must be heard twice.
   */
  private boolean isConfirmed(
      String node, @Nullable PluginReport plugin, @Nullable Instant firstError) {
    return plugin != null
        && (plugin.cause() != null
            || seen.heartbeats().containsKey(node)
            || (firstError != null && !firstError.equals(plugin.lastChecked())));
  }
}
