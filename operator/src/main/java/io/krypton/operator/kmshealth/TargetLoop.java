package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks after one object of one cluster: observe, conclude, publish, clean up. */
final class TargetLoop<T extends HasMetadata> {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration PAST = Duration.ofMillis(5);

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
      ObjectCache<Lease> leases,
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

  NodeWatch nodes() {
    return parts.nodes;
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
    var conclusion = conclude(before, seen, now);
    var published = publish(before, seen, conclusion, now);
    if (published.outcome != null) {
      return published.outcome;
    }
    // A reset in between must not be undone.
    memory.compareAndSet(remembered, published.conclusion.memory());
    tell(published.live, parts.kind.stateOf(seen), published.conclusion);
    var next = sum(published.live, published.conclusion, now);
    var retry = removeOrphans(published.live, published.conclusion);
    var agreed = published.conclusion.convergence();
    serverKey.refresh(agreed == null ? null : agreed.remoteKeyHash(), now);
    var pause = shorter(published.conclusion.pause(), next, now.wall());
    return Outcome.requeueAfter(retry.filter(it -> it.compareTo(pause) < 0).orElse(pause));
  }

  /** How publishing ended; with an outcome if the look ends here. */
  private record Publication<T>(T live, Conclusion conclusion, @Nullable Outcome outcome) {}

  private Publication<T> publish(Memory before, T seen, Conclusion first, Moment now) {
    if (!first.inUse()) {
      return new Publication<>(withdraw(seen), first, null);
    }
    var latest = new AtomicReference<>(first);
    var result =
        statements.write(
            seen,
            live -> {
              var again = conclude(before, live, now);
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

  private Conclusion conclude(Memory before, T live, Moment now) {
    var state = parts.kind.stateOf(live);
    var reports = ReportReader.read(state.conditions(), state.reports());
    return Aggregation.of(
        before,
        new Observation(
            now,
            state.wanted(),
            Expectations.of(state.expectedBy(), parts.nodes),
            reports,
            leases(reports.keySet(), before).heartbeats(),
            state.published()),
        parts.settings.patience());
  }

  private LeaseRoll leases(Set<String> reporting, Memory before) {
    var known = new HashSet<>(reporting);
    known.addAll(before.expected().nodes().keySet());
    return LeaseRoll.of(word(), parts.leases.list(), known);
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
  private Optional<Duration> removeOrphans(T about, Conclusion conclusion) {
    var roll = leases(conclusion.orphans(), conclusion.memory());
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
