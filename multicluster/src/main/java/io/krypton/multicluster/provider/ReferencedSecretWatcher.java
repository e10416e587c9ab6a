package io.krypton.multicluster.provider;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.cache.FailureStreak;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.NamedObjectWatch;
import io.krypton.multicluster.cache.NamedObjectWatch.ObservedVersion;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.queue.ExponentialBackoff;
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
 * Secrets of home that objects refer to by name, in whatever namespaces. One watch tells when one
 * changed, and one thread reads it then; there are no more of either for more Secrets.
 */
final class ReferencedSecretWatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReferencedSecretWatcher.class);
  private static final ExponentialBackoff BACKOFF =
      new ExponentialBackoff(Duration.ofMillis(200), 2, Duration.ofSeconds(5), 0.2);

  /** Helm's own Secrets are by far the most, and hold no kubeconfig. */
  private static final MetadataSelection SELECTION =
      new MetadataSelection("", "v1", "secrets", "", "").withFields("type!=helm.sh/release.v1");

  private final KubernetesClient home;
  private final Listener listener;
  private final NamedObjectWatch watch;
  private final Thread reader = Thread.ofVirtual().name("named secrets").unstarted(this::readAll);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final SequencedSet<SecretRef> pending = new LinkedHashSet<>();

  /** The version that was told last, empty for one that is missing; null for none yet. */
  private final Map<SecretRef, @Nullable String> reportedVersions = new HashMap<>();

  private boolean started;

  /** Hears how each Secret is, at first and after each change. */
  @FunctionalInterface
  interface Listener {
    /** Null if there is none of this name. */
    void changed(SecretRef ref, @Nullable Secret secret);
  }

  ReferencedSecretWatcher(KubernetesClient home, Listener listener) {
    this.home = home;
    this.listener = listener;
    this.watch =
        new NamedObjectWatch(
            "home/named secrets",
            home,
            SELECTION,
            (objectKey, observedVersion) ->
                onVersion(new SecretRef(objectKey.namespace(), objectKey.name()), observedVersion));
  }

  /** Saying so twice changes nothing. */
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

  /** Whether it is followed and known not to exist. */
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
    var failureStreak = FailureStreak.NONE;
    try {
      while (true) {
        var ref = next();
        try {
          read(ref);
          failureStreak = FailureStreak.NONE;
        } catch (KubernetesClientException failed) {
          var failure = ApiFailure.of(failed);
          failureStreak = failureStreak.next(failure.reason());
          if (failureStreak.shouldLog()) {
            LOG.atWarn()
                .addKeyValue("secret", ref)
                .addKeyValue("reason", failure.reason())
                .addKeyValue("count", failureStreak.count())
                .log("a Secret cannot be read, it will be tried again: {}", failure.message());
          }
          retryLater(ref, failureStreak.count());
        } catch (RuntimeException bug) {
          // One Secret must not stop the reading of all others.
          LOG.atError().setCause(bug).addKeyValue("secret", ref).log("a Secret was not handled");
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

  /** Of what the first list did not hold nothing more is asked. */
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

  /** Behind the others, of which one may be readable, and after a pause. */
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
