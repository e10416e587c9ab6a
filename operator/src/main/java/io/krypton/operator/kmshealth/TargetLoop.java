package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.multicluster.controller.Outcome;
import io.krypton.multicluster.status.StatusResult;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.kmshealth.evidence.Moment;
import io.krypton.operator.kmshealth.publish.FieldManagers;
import io.krypton.operator.kmshealth.publish.Orphans;
import io.krypton.operator.kmshealth.publish.OwnedStatus;
import io.krypton.operator.kmshealth.report.NodeReport;
import io.krypton.operator.kmshealth.report.ReportReader;
import io.krypton.operator.kmshealth.verdict.Aggregation;
import io.krypton.operator.kmshealth.verdict.Conclusion;
import io.krypton.operator.kmshealth.verdict.Memory;
import io.krypton.operator.kmshealth.verdict.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks after one object of one cluster: observe, conclude, publish, clean up. */
final class TargetLoop<T extends HasMetadata> {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration PAST = Duration.ofMillis(5);

  private static final Logger log = LoggerFactory.getLogger(TargetLoop.class);

  private final Parts<T> parts;
  private final StatusWriter<T> statements;
  private final Orphans<T> orphans;
  private final Cleanup cleanup;
  private final ApiServerKey serverKey;
  private final AtomicReference<@Nullable Memory> memory = new AtomicReference<>();
  private final AtomicReference<@Nullable Conclusion> last = new AtomicReference<>();

  /** What a loop is made of. */
  record Parts<T extends HasMetadata>(
      String cluster,
      KubernetesClient client,
      KmsHealthSettings settings,
      TargetKind<T> kind,
      ObjectCache<T> objects,
      LeaseWatch leases,
      NodeWatch nodes,
      Sum<T> sum,
      TargetEvents events,
      KmsHealthListener listener,
      Supplier<Moment> clock) {}

  TargetLoop(Parts<T> parts) {
    this.parts = parts;
    this.statements = new StatusWriter<>(parts.client, FieldManagers.AGGREGATOR);
    this.serverKey = new ApiServerKey(parts.client);
    this.orphans = new Orphans<>(parts.client, parts.kind.type(), parts.kind::blank);
    this.cleanup = new Cleanup(parts.cluster, () -> parts.clock.get().uptime(), new Random());
  }

  String word() {
    return parts.kind.word();
  }

  ObjectCache<T> objects() {
    return parts.objects;
  }

  /** What was seen before may have changed unseen: all is looked at as for the first time. */
  void forget() {
    memory.set(null);
  }

  Outcome look() {
    if (parts.objects.failure().isPresent() || parts.leases.failure().isPresent()) {
      // What cannot be seen cannot be judged; silence is ours, not the nodes'.
      forget();
      return Outcome.requeueAfter(SOON);
    }
    var found = parts.objects.get("", TargetKind.NAME);
    if (found.isEmpty()) {
      forget();
      parts.kind.createIfOurs(parts.client);
      parts.sum.sourceIsMissing();
      return Outcome.requeueAfter(SOON);
    }
    return look(found.get(), parts.clock.get());
  }

  private Outcome look(T seen, Moment now) {
    var remembered = memory.get();
    var before = remembered == null ? Memory.startingAt(now) : remembered;
    follow(seen);
    var look = new Sight(before, now, parts.leases.seen(), false);
    var first = conclude(look, seen);
    if (first.suspects().isEmpty()) {
      return publish(remembered, look, seen, first);
    }
    // Nobody is called silent before the server itself was asked: a watch may have stalled.
    var live = parts.client.resources(parts.kind.type()).withName(TargetKind.NAME).get();
    var asked = new Sight(before, now, parts.leases.asked(), true);
    if (live == null || observe(asked, live).differsFrom(observe(look, seen), first.suspects())) {
      log.atInfo()
          .addKeyValue("cluster", parts.cluster)
          .addKeyValue("nodes", first.suspects().size())
          .log("the watch of KMS health is behind the server; it is opened anew");
      reconnect();
      return Outcome.requeueAfter(SOON);
    }
    return publish(remembered, asked, live, conclude(asked, live));
  }

  /**
   * What one look begins with.
   *
   * @param asked the server itself was asked, not what a watch has brought
   */
  private record Sight(Memory before, Moment now, LeaseView leases, boolean asked) {}

  private Outcome publish(@Nullable Memory remembered, Sight look, T seen, Conclusion first) {
    var now = look.now;
    var published = publish(look, seen, first);
    if (published.outcome != null) {
      return published.outcome;
    }
    // A reset in between must not be undone.
    memory.compareAndSet(remembered, published.conclusion.memory());
    tell(published.live, parts.kind.stateOf(seen), published.conclusion);
    var next = sum(published.live, published.conclusion, now);
    var retry = removeOrphans(published.live, published.conclusion, look.leases);
    var agreed = published.conclusion.convergence();
    serverKey.refresh(agreed == null ? null : agreed.remoteKeyHash(), now);
    var pause = shorter(published.conclusion.pause(), next, now.wall());
    return Outcome.requeueAfter(retry.filter(it -> it.compareTo(pause) < 0).orElse(pause));
  }

  /** How publishing ended; with an outcome if the look ends here. */
  private record Publication<T>(T live, Conclusion conclusion, @Nullable Outcome outcome) {}

  private Publication<T> publish(Sight look, T seen, Conclusion first) {
    if (!first.inUse()) {
      return new Publication<>(withdraw(seen), first, null);
    }
    var latest = new AtomicReference<>(first);
    var result =
        statements.write(
            seen,
            live -> {
              var again = conclude(look, live);
              latest.set(again);
              return parts.kind.statement(again, live);
            });
    var conclusion = Objects.requireNonNull(latest.get());
    return switch (result) {
      case StatusResult.Unchanged<T>(var live) -> new Publication<>(live, conclusion, null);
      case StatusResult.Written<T>(var live) -> {
        parts.listener.wrote(parts.cluster, word(), "statement");
        yield new Publication<>(live, conclusion, null);
      }
      case StatusResult.Conflict<T> conflict ->
          new Publication<>(seen, conclusion, Outcome.requeueAfter(SOON));
      case StatusResult.Gone<T> gone ->
          new Publication<>(seen, conclusion, Outcome.requeueAfter(SOON));
      case StatusResult.Refused<T>(var code, var message) ->
          new Publication<>(seen, conclusion, Outcome.retry("HTTP " + code, message));
    };
  }

  private T withdraw(T seen) {
    if (!OwnedStatus.has(seen, FieldManagers.AGGREGATOR)) {
      return seen;
    }
    parts.listener.wrote(parts.cluster, word(), "withdrawal");
    return OwnedStatus.drop(parts.client, seen, parts.kind.blank(), FieldManagers.AGGREGATOR);
  }

  private Conclusion conclude(Sight look, T live) {
    return Aggregation.of(look.before, observe(look, live), parts.settings.patience());
  }

  private Observation observe(Sight look, T live) {
    var state = parts.kind.stateOf(live);
    var reports = reports(state);
    var roll = LeaseRoll.of(word(), look.leases, reports, look.before.expected().nodes().keySet());
    return new Observation(
        look.now,
        state.wanted(),
        Expectations.of(state.expectedBy(), parts.nodes),
        reports,
        roll.heartbeats(),
        roll.notes(),
        state.published(),
        look.asked);
  }

  private static SortedMap<String, NodeReport> reports(TargetState state) {
    return ReportReader.read(state.conditions(), state.reports());
  }

  /** Reporters say where their Leases are. */
  private void follow(T seen) {
    var namespaces = new HashSet<String>();
    reports(parts.kind.stateOf(seen))
        .values()
        .forEach(report -> report.lease().ifPresent(lease -> namespaces.add(lease.namespace())));
    parts.leases.follow(word(), namespaces);
  }

  /** Old watches may be dead, and much may have passed unseen. */
  void reconnect() {
    forget();
    parts.objects.reconnect();
    parts.nodes.reconnect();
    parts.leases.reconnect();
  }

  private void tell(T about, TargetState before, Conclusion after) {
    parts.events.changed(about, before.published(), after);
    after.notices().forEach(notice -> parts.events.notice(about, notice));
    var known = malformed(last.getAndSet(after));
    malformed(after).stream()
        .filter(node -> !known.contains(node))
        .forEach(node -> parts.listener.malformed(parts.cluster, word()));
  }

  private static Set<String> malformed(@Nullable Conclusion conclusion) {
    var nodes = new HashSet<String>();
    if (conclusion != null) {
      conclusion.nodes().stream()
          .filter(node -> node.state() == NodeHealth.State.MALFORMED)
          .forEach(node -> nodes.add(node.nodeName()));
    }
    return nodes;
  }

  private Optional<Instant> sum(T live, Conclusion conclusion, Moment now) {
    return parts.sum.sync(live, parts.kind.stateOf(live), conclusion.inUse(), now.wall());
  }

  /** Answers when to try again what failed. */
  private Optional<Duration> removeOrphans(T about, Conclusion conclusion, LeaseView leases) {
    var roll =
        LeaseRoll.of(word(), leases, reports(parts.kind.stateOf(about)), conclusion.orphans());
    var round =
        cleanup.round(
            conclusion.orphans(),
            node -> orphans.remove(TargetKind.NAME, node, roll.of(node).orElse(null)));
    for (var node : round.removed()) {
      parts.events.orphanRemoved(about, node);
      parts.listener.orphanRemoved(parts.cluster, word());
    }
    return round.pause();
  }

  private static Duration shorter(Duration pause, Optional<Instant> next, Instant now) {
    return next.map(at -> Duration.between(now, at).plus(PAST))
        .filter(left -> left.compareTo(pause) < 0)
        .map(left -> left.isNegative() ? PAST : left)
        .orElse(pause);
  }

  Optional<KmsView> view() {
    return parts
        .objects
        .get("", TargetKind.NAME)
        .map(
            object ->
                Views.of(
                    parts.cluster,
                    word(),
                    parts.kind.stateOf(object),
                    last.get(),
                    memory.get(),
                    serverKey.hash().orElse(null),
                    parts.clock.get()));
  }
}
