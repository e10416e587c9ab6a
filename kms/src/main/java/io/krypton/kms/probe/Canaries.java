package io.krypton.kms.probe;

import io.krypton.kms.protocol.EncryptedSample;
import io.krypton.kms.protocol.KmsApi;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The canaries of one plugin: one per remote key, of which the first is kept. */
final class Canaries {
  private static final int MAX_KEPT = 16;
  private static final int OLDER_TRIED = 3;

  private final String plugin;
  private final KmsApi api;
  private final CanaryStore store;
  private List<Canary> kept;

  Canaries(String plugin, KmsApi api, CanaryStore store) {
    this.plugin = plugin;
    this.api = api;
    this.store = store;
    this.kept =
        store.load(plugin).stream()
            .filter(canary -> canary.api() == api)
            .sorted(Comparator.comparing(Canary::made))
            .toList();
  }

  /** Those to try now: that of the current key first, then the newest of the older keys. */
  List<Canary> toTry(String currentKeyId) {
    var current = kept.stream().filter(canary -> canary.keyId().equals(currentKeyId)).toList();
    var older =
        kept.reversed().stream()
            .filter(canary -> !canary.keyId().equals(currentKeyId))
            .limit(OLDER_TRIED)
            .toList();
    var all = new ArrayList<>(current);
    all.addAll(older);
    return all;
  }

  /** Keeps a sample of a key that has none yet; an old sample proves more than a new one. */
  void keep(EncryptedSample sample, byte[] plaintext, Instant now) {
    if (kept.stream().anyMatch(canary -> canary.keyId().equals(sample.keyId()))) {
      return;
    }
    var more = new ArrayList<>(kept);
    more.add(Canary.of(api, sample, plaintext, now));
    kept = List.copyOf(more.subList(Math.max(0, more.size() - MAX_KEPT), more.size()));
    store.save(plugin, kept);
  }
}
