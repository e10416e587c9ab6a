// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.provider;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.base.time.Backoff;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.NamedObjectWatch;
import io.krypton.multicluster.cache.NamedObjectWatch.ObservedVersion;
import io.krypton.multicluster.cache.RepeatedFailure;
import io.krypton.multicluster.cluster.SecretRef;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the Secrets of home that objects reference by name, in any namespace. One metadata watch
 * detects changes of all of them, and one thread reads the changed ones.
 */
final class ReferencedSecretWatcher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReferencedSecretWatcher.class);
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), 2, Duration.ofSeconds(5), 0.2);

  /** Helm's release Secrets are by far the most, and hold no kubeconfig. */
  private static final MetadataSelection SELECTION =
      new MetadataSelection("", "v1", "secrets", "", "").withFields("type!=helm.sh/release.v1");

  private final KubernetesClient home;
  private final Listener listener;
  private final NamedObjectWatch watch;
  private final Thread reader =
      Thread.ofVirtual().name("referenced-secrets").unstarted(this::readAll);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final SequencedSet<SecretRef> pending = new LinkedHashSet<>();

  /** The version that was reported last, empty for a missing Secret; null for none yet. */
  private final Map<SecretRef, @Nullable String> reportedVersions = new HashMap<>();

  private boolean started;

  /** Called with each Secret initially and after each change. */
  @FunctionalInterface
  interface Listener {
    /** Null if the Secret does not exist. */
    void changed(SecretRef ref, @Nullable Secret secret);
  }

  ReferencedSecretWatcher(KubernetesClient home, Listener listener) {
    this.home = home;
    this.listener = listener;
    this.watch =
        new NamedObjectWatch(
            "home/referenced-secrets",
            home,
            SELECTION,
            (objectKey, observedVersion) ->
                onVersion(new SecretRef(objectKey.namespace(), objectKey.name()), observedVersion));
  }

  /** Idempotent. */
  void follow(SecretRef ref) {
    lock.lock();
    try {
      if (reportedVersions.containsKey(ref)) {
        return;
      }
      reportedVersions.put(ref, null);
      watch.follow(nameOf(ref));
      pending.add(ref);
      changed.signalAll();
      if (!started) {
        started = true;
        reader.start();
      }
    } finally {
      lock.unlock();
    }
  }

  void unfollow(SecretRef ref) {
    lock.lock();
    try {
      reportedVersions.remove(ref);
      pending.remove(ref);
      watch.unfollow(nameOf(ref));
    } finally {
      lock.unlock();
    }
  }

  boolean isFollowed(SecretRef ref) {
    lock.lock();
    try {
      return reportedVersions.containsKey(ref);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the Secret is followed and does not exist. */
  boolean isMissing(SecretRef ref) {
    lock.lock();
    try {
      return "".equals(reportedVersions.get(ref));
    } finally {
      lock.unlock();
    }
  }

  private void onVersion(SecretRef ref, ObservedVersion observedVersion) {
    lock.lock();
    try {
      if (reportedVersions.containsKey(ref)
          && !observedVersion.version().equals(reportedVersions.get(ref))) {
        pending.add(ref);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void readAll() {
    var repeated = RepeatedFailure.NONE;
    try {
      while (true) {
        var ref = next();
        try {
          read(ref);
          repeated = RepeatedFailure.NONE;
        } catch (KubernetesClientException failed) {
          var failure = ApiFailure.of(failed);
          repeated = repeated.next(failure.reason());
          if (repeated.shouldLog()) {
            log.atWarn()
                .addKeyValue("secret", ref)
                .addKeyValue("reason", failure.reason())
                .addKeyValue("count", repeated.count())
                .log("failed to read Secret, retrying: {}", failure.message());
          }
          retryLater(ref, repeated.count());
        } catch (RuntimeException bug) {
          // A bug with one Secret must not end the thread.
          log.atError().setCause(bug).addKeyValue("secret", ref).log("failed to handle Secret");
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private SecretRef next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (pending.isEmpty()) {
        changed.await();
      }
      return pending.removeFirst();
    } finally {
      lock.unlock();
    }
  }

  /** A Secret that the first list did not hold is not requested. */
  private void read(SecretRef ref) {
    var observedVersion = watch.observed(nameOf(ref));
    var secret = observedVersion.isAbsent() && isNew(ref) ? null : get(ref);
    lock.lock();
    try {
      if (!reportedVersions.containsKey(ref)) {
        return;
      }
      reportedVersions.put(ref, secret == null ? "" : secret.getMetadata().getResourceVersion());
    } finally {
      lock.unlock();
    }
    listener.changed(ref, secret);
  }

  private boolean isNew(SecretRef ref) {
    lock.lock();
    try {
      return reportedVersions.get(ref) == null;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Secret get(SecretRef ref) {
    return home.secrets().inNamespace(ref.namespace()).withName(ref.name()).get();
  }

  /** Requeues the Secret behind the others, after a back-off. */
  private void retryLater(SecretRef ref, int failures) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (reportedVersions.containsKey(ref)) {
        pending.add(ref);
      }
    } finally {
      lock.unlock();
    }
    TimeUnit.NANOSECONDS.sleep(BACKOFF.delay(failures, ThreadLocalRandom.current()).toNanos());
  }

  private static NamedObjectWatch.ObjectKey nameOf(SecretRef ref) {
    return new NamedObjectWatch.ObjectKey(ref.namespace(), ref.name());
  }

  @Override
  public void close() {
    watch.close();
    reader.interrupt();
  }
}
