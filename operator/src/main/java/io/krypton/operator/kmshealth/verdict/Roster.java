package io.krypton.operator.kmshealth.verdict;

import io.krypton.api.kmshealth.NodeHealth.Source;
import io.krypton.operator.kmshealth.convergence.Claim;
import io.krypton.operator.kmshealth.evidence.Freshness;
import io.krypton.operator.kmshealth.evidence.Moment;
import io.krypton.operator.kmshealth.evidence.NodeTrack;
import io.krypton.operator.kmshealth.report.KeyId;
import io.krypton.operator.kmshealth.report.NodeReport;
import io.krypton.operator.kmshealth.verdict.Expectation.Expected;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who is there, who should be, and who has been heard of. */
final class Roster {
  /** A node that nobody names is forgotten after so long a silence. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(24);

  private final Memory memory;
  private final Observation seen;
  private final Patience patience;
  private final Deadlines deadlines;
  private final Moment now;
  private final Map<String, NodeTrack> tracks;
  private final Expected expected;
  private final Map<String, Duration> expectedSince = new HashMap<>();
  private final Map<String, Duration> outsideSince = new HashMap<>();
  private final Set<String> suspects = new TreeSet<>();

  private Roster(Memory memory, Observation seen, Patience patience, Deadlines deadlines) {
    this.memory = memory;
    this.seen = seen;
    this.patience = patience;
    this.deadlines = deadlines;
    this.now = seen.now();
    this.tracks = nextTracks();
    this.expected = nextExpected();
    for (var node : expected.nodes().keySet()) {
      expectedSince.put(node, memory.expectedSince().getOrDefault(node, now.uptime()));
    }
    for (var node : tracks.keySet()) {
      if (!expected.nodes().containsKey(node)) {
        outsideSince.put(node, memory.outsideSince().getOrDefault(node, now.uptime()));
      }
    }
  }

  static Roster of(Memory memory, Observation seen, Patience patience, Deadlines deadlines) {
    return new Roster(memory, seen, patience, deadlines);
  }

  private Map<String, NodeTrack> nextTracks() {
    var next = new HashMap<String, NodeTrack>();
    for (var node : seen.nodes()) {
      var evidence = seen.evidenceOf(node);
      var before = memory.nodes().get(node);
      var track =
          before != null
              ? before.next(evidence, now)
              : memory.firstLook()
                  ? NodeTrack.atStart(evidence, now)
                  : NodeTrack.appeared(evidence, now);
      next.put(node, seen.asked() ? track.asked(now) : track);
    }
    return next;
  }

  private Expected nextExpected() {
    return switch (seen.expectation()) {
      case Expectation.Known known -> {
        var nodes = new HashMap<String, Source>();
        known.nodes().forEach(node -> nodes.put(node, known.source()));
        yield new Expected(nodes, known.inRollout(), true);
      }
      case Expectation.Learned learned -> {
        var nodes = new HashMap<String, Source>();
        tracks.forEach(
            (node, track) -> {
              if (!now.isOver(track.changedAt(), FORGOTTEN_AFTER)) {
                nodes.put(node, Source.LEARNED);
              }
            });
        yield new Expected(nodes, Set.of(), true);
      }
      case Expectation.Unreadable unreadable ->
          new Expected(memory.expected().nodes(), memory.expected().inRollout(), false);
    };
  }

  Map<String, NodeTrack> tracks() {
    return tracks;
  }

  Expected expected() {
    return expected;
  }

  Map<String, Duration> expectedSince() {
    return expectedSince;
  }

  Map<String, Duration> outsideSince() {
    return outsideSince;
  }

  /** Also in a rollout, and after a planned stop, a node may be silent for longer. */
  Freshness freshness(String node) {
    var track = tracks.get(node);
    if (track == null) {
      return Freshness.STALE;
    }
    return freshness(node, track, thresholdOf(node));
  }

  /** Nobody is called silent before the server itself was asked: a watch may have stalled. */
  private Freshness freshness(String node, NodeTrack track, Duration threshold) {
    deadlines.at(track.nextChange(threshold, now));
    var freshness = track.freshness(threshold, now);
    if (freshness == Freshness.STALE && !track.isSilenceKnown(threshold)) {
      suspects.add(node);
      return Freshness.SETTLING;
    }
    return freshness;
  }

  /** Nodes that seem to be silent, and of which the server has not been asked yet. */
  Set<String> suspects() {
    return suspects;
  }

  private Duration thresholdOf(String node) {
    var evidence = seen.evidenceOf(node);
    var own = evidence.threshold();
    var isExcused = expected.inRollout().contains(node) || evidence.isPlannedStop();
    return isExcused ? Aggregation.latest(own, patience.rollout()) : own;
  }

  /** What each expected node proves about a key; nobody is excused here. */
  SortedMap<String, Claim> claims(@Nullable KeyId key, Map<String, NodeReport> live) {
    var claims = new TreeMap<String, Claim>();
    if (key != null) {
      expected.nodes().keySet().forEach(node -> claims.put(node, claim(node, live.get(node), key)));
    }
    return claims;
  }

  private Claim claim(String node, @Nullable NodeReport report, KeyId key) {
    var plugin = report == null || report.malformed() ? null : report.plugins().get(key);
    var track = tracks.get(node);
    if (plugin == null || track == null) {
      return new Claim.Missing();
    }
    return switch (plugin.reported()) {
      case MALFORMED -> new Claim.Missing();
      case ERROR, UNHEALTHY -> new Claim.Failing();
      case HEALTHY -> {
        var threshold = seen.evidenceOf(node).threshold();
        yield switch (freshness(node, track, threshold)) {
          case STALE -> new Claim.Silent();
          case SETTLING -> new Claim.Settling(plugin.remoteKeyId());
          case FRESH -> {
            var id = plugin.remoteKeyId();
            yield id == null ? new Claim.Nameless() : new Claim.Uses(id, track.changedAt());
          }
        };
      }
    };
  }

  /** The reports of expected nodes that have not fallen silent; if all have, of all. */
  List<NodeReport> heard(Map<String, NodeReport> live) {
    var reports = new ArrayList<NodeReport>();
    var heard = new ArrayList<NodeReport>();
    for (var node : expected.nodes().keySet()) {
      var report = live.get(node);
      var track = tracks.get(node);
      if (report != null && track != null && !report.malformed()) {
        reports.add(report);
        if (freshness(node, track, seen.evidenceOf(node).threshold()) != Freshness.STALE) {
          heard.add(report);
        }
      }
    }
    return heard.isEmpty() ? reports : heard;
  }

  /** Whether nobody says who must report. */
  boolean isLearned() {
    return expected.nodes().containsValue(Source.LEARNED);
  }

  /** Since when nothing of a node has changed before our eyes. */
  Duration quietSince(String node) {
    var track = tracks.get(node);
    return track == null
        ? memory.startedAt()
        : Aggregation.latest(track.changedAt(), memory.startedAt());
  }

  boolean isUnchangedFor(String node, Duration length) {
    return now.isOver(quietSince(node), length);
  }

  /** Nothing is removed while it is not certain who is expected. */
  Set<String> orphans() {
    var orphans = new HashSet<String>();
    if (expected.isCertain()) {
      outsideSince.forEach(
          (node, since) -> {
            var quiet = Aggregation.latest(since, quietSince(node));
            if (now.isOver(quiet, patience.orphan())) {
              orphans.add(node);
            } else {
              deadlines.at(quiet.plus(patience.orphan()));
            }
          });
    }
    return orphans;
  }

  Set<Notice> notices() {
    var notices = new HashSet<Notice>();
    tracks.forEach(
        (node, track) -> {
          if (track.isSkewed()) {
            notices.add(new Notice(Notice.Kind.CLOCK_SKEW, node));
          }
          if (track.hasTwoReporters(now)) {
            notices.add(new Notice(Notice.Kind.DUPLICATE_REPORTER, node));
          }
          var outside = outsideSince.get(node);
          if (outside != null
              && expected.isCertain()
              && now.isOver(outside, patience.orphan())
              && !isUnchangedFor(node, patience.orphan())) {
            notices.add(new Notice(Notice.Kind.UNEXPECTED_REPORTER, node));
          }
        });
    return notices;
  }
}
