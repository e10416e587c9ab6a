// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.convergence;

import static java.util.stream.Collectors.joining;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import io.krypton.api.time.ApiTimestamps;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.operator.kmshealth.convergence.ConvergenceInput.NodeClaim;
import io.krypton.operator.kmshealth.convergence.ConvergenceResult.KeyAgreement;
import io.krypton.operator.kmshealth.convergence.WriteKey.NodeNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides {@code KMSKeysConverged}. First match wins; see {@link #evaluate}. */
public final class KeyConvergence {
  private static final int MOST_PREVIOUS = 10;

  private final ConvergenceInput facts;

  private KeyConvergence(ConvergenceInput facts) {
    this.facts = facts;
  }

  public static ConvergenceResult evaluate(ConvergenceInput facts) {
    return new KeyConvergence(facts).evaluate();
  }

  private ConvergenceResult evaluate() {
    var key = facts.writeKey().key();
    if (key == null || facts.claims().isEmpty()) {
      return notConverged(
          ConditionStatus.UNKNOWN, KmsHealthReasons.NO_WRITE_KEY, "no plugin is known to encrypt");
    }
    if (facts.writeKey() instanceof WriteKey.Differing(var _, var who)) {
      return notConverged(
          ConditionStatus.FALSE,
          KmsHealthReasons.WRITE_KEY_DIFFERS,
          "nodes encrypt with different keyIDs: " + who);
    }
    var groups = groups();
    if (groups.size() > 1) {
      return notConverged(
          ConditionStatus.FALSE,
          KmsHealthReasons.DIVERGED,
          "keyID %s: nodes use different remote keys: %s"
              .formatted(
                  key,
                  groups.entrySet().stream()
                      .map(
                          group ->
                              group.getKey().shortened() + " on " + NodeNames.of(group.getValue()))
                      .collect(joining("; "))));
    }
    var published = facts.published();
    if (published != null && onlyUsesAndSettling() && canKeepPublished(published)) {
      // A start of ours must not undo what was known before it.
      return new ConvergenceResult(
          published, restored(key, groups), facts.stored(), Optional.empty(), false);
    }
    return incompleteEvidence(key).or(() -> uncertain(key)).orElseGet(() -> agreed(key));
  }

  /** While nodes settle, True stands only if it is about the key that they name. */
  private boolean canKeepPublished(Condition published) {
    return published.status() != ConditionStatus.TRUE
        || (!isDoubtful()
            && facts.claims().values().stream()
                .allMatch(
                    nodeClaim ->
                        !(nodeClaim instanceof NodeClaim.Settling settling)
                            || (settling.remoteKeyId() != null
                                && published
                                    .message()
                                    .endsWith(KeyHash.ofReported(settling.remoteKeyId()).text()))));
  }

  private boolean isDoubtful() {
    return facts.learned() || facts.writeKey() instanceof WriteKey.Assumed;
  }

  /** All that is known is well, but not all is known. */
  private Optional<ConvergenceResult> uncertain(KeyId key) {
    if (facts.learned()) {
      return Optional.of(
          notConverged(
              ConditionStatus.UNKNOWN,
              KmsHealthReasons.NODES_LEARNED,
              "keyID %s: nobody says which nodes must report, so others may use another key; set"
                      .formatted(key)
                  + " spec.expectedNodes"));
    }
    return isDoubtful()
        ? Optional.of(
            notConverged(
                ConditionStatus.UNKNOWN,
                KmsHealthReasons.WRITE_KEY_ASSUMED,
                "keyID %s is only assumed to encrypt; set spec.writeKeyID, or give each reporter"
                        .formatted(key)
                    + " --encryption-provider-config"))
        : Optional.empty();
  }

  private Optional<ConvergenceResult> incompleteEvidence(KeyId key) {
    return unknown(
            key,
            NodeClaim.Failing.class::isInstance,
            KmsHealthReasons.PLUGIN_NOT_HEALTHY,
            "fails on")
        .or(
            () ->
                unknown(
                    key,
                    nodeClaim ->
                        nodeClaim instanceof NodeClaim.Stale
                            || nodeClaim instanceof NodeClaim.Settling,
                    KmsHealthReasons.STALE_REPORT,
                    "no news from"))
        .or(
            () ->
                unknown(
                    key,
                    NodeClaim.Missing.class::isInstance,
                    KmsHealthReasons.MISSING_NODE,
                    "no report from"))
        .or(
            () ->
                unknown(
                    key,
                    NodeClaim.WithoutKeyId.class::isInstance,
                    KmsHealthReasons.NO_KEY_ID,
                    "no remote key id from"));
  }

  private Optional<ConvergenceResult> unknown(
      KeyId key, Predicate<NodeClaim> which, String reason, String words) {
    var nodes =
        facts.claims().entrySet().stream()
            .filter(claim -> which.test(claim.getValue()))
            .map(claim -> claim.getKey())
            .toList();
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            notConverged(
                ConditionStatus.UNKNOWN,
                reason,
                "keyID %s: %s %s".formatted(key, words, NodeNames.of(nodes))));
  }

  private ConvergenceResult agreed(KeyId key) {
    var uses = uses();
    var first = uses.getFirst();
    var hash = first.hash();
    var keyAgreement = agreementOn(key, hash);
    var lasted = !facts.now().since(keyAgreement.since()).minus(facts.convergedFor()).isNegative();
    var seenSince =
        uses.stream().allMatch(use -> use.changedAt().compareTo(keyAgreement.since()) > 0);
    var converged = keyAgreement.confirmed() || (lasted && seenSince);
    var says =
        "keyID %s: %d nodes agree on remote key %s".formatted(key, facts.claims().size(), hash);
    var next =
        lasted
            ? Optional.<Duration>empty()
            : Optional.of(keyAgreement.since().plus(facts.convergedFor()));
    return new ConvergenceResult(
        converged
            ? condition(ConditionStatus.TRUE, KmsHealthReasons.CONVERGED, says)
            : condition(
                ConditionStatus.FALSE,
                KmsHealthReasons.STABILIZING,
                says + ", but not for long enough yet"),
        converged ? keyAgreement.asConfirmed() : keyAgreement,
        stored(key, first.remoteKeyId(), keyAgreement, converged),
        next,
        isReused(first.remoteKeyId()));
  }

  private KeyAgreement agreementOn(KeyId key, KeyHash hash) {
    var before = facts.agreement();
    if (before != null && before.isAbout(key, hash)) {
      return before;
    }
    var fromStore = facts.firstReconcile() ? storedAgreement(key, hash) : null;
    return fromStore != null
        ? fromStore
        : new KeyAgreement(key, hash, facts.now().uptime(), facts.now().wall(), false);
  }

  /** While a node settles, the agreement of the others with the store is kept, not begun anew. */
  private @Nullable KeyAgreement restored(KeyId key, Map<KeyHash, Set<String>> groups) {
    var before = facts.agreement();
    var uses = uses();
    if (before != null || groups.isEmpty() || uses.isEmpty()) {
      var stored = facts.stored();
      var hash = stored == null ? null : stored.remoteKeyHash();
      return before != null || hash == null || !KeyHash.isHash(hash)
          ? before
          : storedAgreement(key, new KeyHash(hash));
    }
    return storedAgreement(key, uses.getFirst().hash());
  }

  /** What an earlier process knew. A time that is missing or lies ahead proves nothing. */
  private @Nullable KeyAgreement storedAgreement(KeyId key, KeyHash hash) {
    var confirmed = publishedConverged(key, hash);
    var stored = facts.stored();
    var convergedAt = stored == null ? null : stored.convergedAt();
    if (stored == null
        || convergedAt == null
        || !key.toString().equals(stored.writeKeyID())
        || !hash.text().equals(stored.remoteKeyHash())
        || convergedAt.isAfter(facts.now().wall())) {
      return confirmed
          ? new KeyAgreement(key, hash, facts.now().uptime(), facts.now().wall(), true)
          : null;
    }
    var ago = Duration.between(convergedAt, facts.now().wall());
    return new KeyAgreement(key, hash, facts.now().uptime().minus(ago), convergedAt, confirmed);
  }

  private boolean publishedConverged(KeyId key, KeyHash hash) {
    var published = facts.published();
    return published != null
        && published.status() == ConditionStatus.TRUE
        && published.message().startsWith("keyID " + key + ": ")
        && published.message().endsWith(hash.text());
  }

  private Convergence stored(
      KeyId key, String remoteKeyId, KeyAgreement keyAgreement, boolean converged) {
    var before = facts.stored();
    var previous = new ArrayList<>(before == null ? List.of() : before.previousRemoteKeyIDs());
    var last = before == null ? null : before.remoteKeyID();
    if (last != null && !last.equals(remoteKeyId)) {
      previous.remove(last);
      previous.addFirst(last);
      previous.remove(remoteKeyId);
    }
    return new Convergence(
        key.toString(),
        remoteKeyId,
        keyAgreement.hash().text(),
        keyAgreement.convergedAt(),
        previous.subList(0, Math.min(MOST_PREVIOUS, previous.size())),
        converged
            ? "True"
            : "Stabilizing since " + ApiTimestamps.wholeSeconds(keyAgreement.convergedAt()));
  }

  private boolean isReused(String remoteKeyId) {
    var before = facts.stored();
    return before != null
        && !remoteKeyId.equals(before.remoteKeyID())
        && before.previousRemoteKeyIDs().contains(remoteKeyId);
  }

  /** No agreement: the last key is still told, the time is not. */
  private ConvergenceResult notConverged(ConditionStatus status, String reason, String message) {
    var before = facts.stored();
    var key = facts.writeKey().key();
    var stored =
        new Convergence(
            key == null ? null : key.toString(),
            before == null ? null : before.remoteKeyID(),
            before == null ? null : before.remoteKeyHash(),
            null,
            before == null ? List.of() : before.previousRemoteKeyIDs(),
            "%s (%s)".formatted(status == ConditionStatus.FALSE ? "False" : "Unknown", reason));
    return new ConvergenceResult(
        condition(status, reason, message), null, stored, Optional.empty(), false);
  }

  private static Condition condition(ConditionStatus status, String reason, String message) {
    return Condition.of(KmsHealthConditionTypes.KMS_KEYS_CONVERGED, status, reason, message);
  }

  private Map<KeyHash, Set<String>> groups() {
    var groups = new TreeMap<KeyHash, Set<String>>();
    facts
        .claims()
        .forEach(
            (node, nodeClaim) -> {
              if (nodeClaim instanceof NodeClaim.Uses uses) {
                groups.computeIfAbsent(uses.hash(), hash -> new TreeSet<>()).add(node);
              }
            });
    return groups;
  }

  private List<NodeClaim.Uses> uses() {
    return facts.claims().values().stream()
        .filter(NodeClaim.Uses.class::isInstance)
        .map(NodeClaim.Uses.class::cast)
        .toList();
  }

  private boolean onlyUsesAndSettling() {
    var claims = facts.claims().values();
    return claims.stream().anyMatch(NodeClaim.Settling.class::isInstance)
        && claims.stream()
            .allMatch(
                nodeClaim ->
                    nodeClaim instanceof NodeClaim.Uses || nodeClaim instanceof NodeClaim.Settling);
  }
}
