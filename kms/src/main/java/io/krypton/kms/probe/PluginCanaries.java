// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeOutcome.UnreadableKey;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.CanaryStore.Canary;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The canaries of one plugin: one per remote key, of which the first is kept. One that cannot be
 * decrypted any more takes no place from the others, and is forgotten with the process.
 */
final class PluginCanaries {
  private static final int MAX_KEPT = 16;
  private static final int OLDER_TRIED = 3;
  private static final int UNREADABLE_TRIED = 4;

  private final String plugin;
  private final KmsApiVersion api;
  private final CanaryStore store;
  private final Map<String, Refusal> refusals = new HashMap<>();
  private List<Canary> kept;

  /** The last failure of an older key's canary, and how often in a row it failed. */
  private record Refusal(ProbeFinding why, int inRow) {
    /** A timeout happens once; a key that is gone says so at once. */
    boolean counts() {
      return why.verdict() == Verdict.FATAL || inRow > 1;
    }
  }

  PluginCanaries(String plugin, KmsApiVersion api, CanaryStore store) {
    this.plugin = plugin;
    this.api = api;
    this.store = store;
    this.kept =
        store.load(plugin).stream()
            .filter(canary -> canary.api() == api)
            .sorted(Comparator.comparing(Canary::createdAt))
            .toList();
  }

  /**
   * Those to try now: that of the current key first, then the newest of the older keys, then the
   * newest of those that failed, because a key may come back.
   */
  List<Canary> selectForProbe(String currentKeyId) {
    Predicate<Canary> current = canary -> canary.keyId().equals(currentKeyId);
    var older = newest(current.negate().and(canary -> !isUnreadable(canary)), OLDER_TRIED);
    var unreadable = newest(current.negate().and(this::isUnreadable), UNREADABLE_TRIED);
    return Stream.of(newest(current, 1), older, unreadable).flatMap(List::stream).toList();
  }

  private List<Canary> newest(Predicate<Canary> which, int atMost) {
    return kept.reversed().stream().filter(which).limit(atMost).toList();
  }

  /** Takes note of how the canary of an older key went. */
  void recordResult(Canary canary, Optional<ProbeFinding> failure) {
    failure.ifPresentOrElse(
        why -> refusals.merge(canary.keyId(), new Refusal(why, 1), PluginCanaries::again),
        () -> refusals.remove(canary.keyId()));
  }

  private static Refusal again(Refusal before, Refusal now) {
    return new Refusal(now.why(), before.inRow() + 1);
  }

  /** The keys whose data cannot be decrypted, newest first. */
  List<UnreadableKey> unreadable() {
    return newest(this::isUnreadable, UNREADABLE_TRIED).stream()
        .flatMap(canary -> refusalOf(canary).map(why -> unreadable(canary, why)).stream())
        .toList();
  }

  private static UnreadableKey unreadable(Canary canary, Refusal refusal) {
    return new UnreadableKey(canary.keyId(), refusal.why());
  }

  private boolean isUnreadable(Canary canary) {
    return refusalOf(canary).isPresent();
  }

  private Optional<Refusal> refusalOf(Canary canary) {
    return Optional.ofNullable(refusals.get(canary.keyId())).filter(Refusal::counts);
  }

  /**
   * Keeps a sample of the current key if it has none yet; an old sample proves more than a new one.
   * What is unreadable is not stored again, and makes room first.
   */
  void keep(EncryptedSample sample, byte[] plaintext, Instant now) {
    refusals.remove(sample.keyId());
    if (kept.stream().anyMatch(canary -> canary.keyId().equals(sample.keyId()))) {
      return;
    }
    var more = new ArrayList<>(kept);
    more.add(Canary.of(api, sample, plaintext, now));
    if (more.size() > MAX_KEPT) {
      var leaving = more.stream().filter(this::isUnreadable).findFirst().orElse(more.getFirst());
      more.remove(leaving);
      refusals.remove(leaving.keyId());
    }
    kept = List.copyOf(more);
    store.save(plugin, kept.stream().filter(canary -> !isUnreadable(canary)).toList());
  }
}
