// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Follows objects of one kind by name, in any namespace, with one metadata watch for all of them.
 * Objects that are not followed are not kept.
 *
 * <p>An object is {@link ObservedVersion#UNKNOWN} until the server has reported it after {@link
 * #follow}. Whoever reads it after that call, once the watch has synced, has its newest state as
 * long as it stays unknown.
 */
public final class NamedObjectWatch implements AutoCloseable {
  private final Map<ObjectKey, ObservedVersion> followed = new ConcurrentHashMap<>();
  private final MetadataWatch watch;
  private final Listener listener;
  private boolean started;
  private boolean closed;

  /** An object's name; the namespace of a cluster-scoped object is empty. */
  public record ObjectKey(String namespace, String name) {
    static ObjectKey of(HasMetadata object) {
      var namespace = object.getMetadata().getNamespace();
      return new ObjectKey(namespace == null ? "" : namespace, object.getMetadata().getName());
    }
  }

  /**
   * The last reported version of an object.
   *
   * @param version its resource version, empty if it does not exist or is unknown
   */
  public record ObservedVersion(boolean known, String version) {
    public static final ObservedVersion UNKNOWN = new ObservedVersion(false, "");
    public static final ObservedVersion ABSENT = new ObservedVersion(true, "");

    public boolean isAbsent() {
      return known && version.isEmpty();
    }
  }

  /** Called for each change of a followed object. Must be quick: the watch waits for it. */
  @FunctionalInterface
  public interface Listener {
    void changed(ObjectKey objectKey, ObservedVersion observedVersion);
  }

  /**
   * Starts the watch when the first name is followed.
   *
   * @param name of the watch in log lines, e.g. {@code cluster/kind}
   */
  public NamedObjectWatch(
      String name, KubernetesClient client, MetadataSelection selection, Listener listener) {
    this.listener = listener;
    this.watch =
        new MetadataWatch(name, client, selection, new VersionSink(), MetadataWatch.IDLE_TIMEOUT);
  }

  public void follow(ObjectKey objectKey) {
    var _ = followed.putIfAbsent(objectKey, ObservedVersion.UNKNOWN);
    synchronized (this) {
      if (!started && !closed) {
        started = true;
        watch.start();
      }
    }
  }

  public void unfollow(ObjectKey objectKey) {
    followed.remove(objectKey);
  }

  /** Unknown also for what is not followed. */
  public ObservedVersion observed(ObjectKey objectKey) {
    return followed.getOrDefault(objectKey, ObservedVersion.UNKNOWN);
  }

  /** Whether the first list has arrived. */
  public boolean hasSynced() {
    return watch.synced().isDone() && !watch.synced().isCompletedExceptionally();
  }

  /** The current failure of the watch, if any. */
  public Optional<ApiFailure> failure() {
    return watch.failure();
  }

  /** As {@link ObjectCache#reconnect}. */
  public void reconnect() {
    watch.reconnect();
  }

  private void update(ObjectKey objectKey, ObservedVersion observedVersion) {
    var before = followed.replace(objectKey, observedVersion);
    if (before != null && !before.equals(observedVersion)) {
      listener.changed(objectKey, observedVersion);
    }
  }

  private final class VersionSink implements MetadataWatch.Sink {
    /** Reports only names that were followed when the list began: of others no page was kept. */
    @Override
    public MetadataWatch.Pages beginList() {
      var asked = Set.copyOf(followed.keySet());
      var found = new HashMap<ObjectKey, ObservedVersion>();
      return new MetadataWatch.Pages() {
        @Override
        public void add(List<PartialObjectMetadata> page) {
          for (var object : page) {
            var objectKey = ObjectKey.of(object);
            if (asked.contains(objectKey)) {
              found.put(objectKey, versionOf(object));
            }
          }
        }

        @Override
        public void complete() {
          asked.forEach(
              objectKey ->
                  update(objectKey, found.getOrDefault(objectKey, ObservedVersion.ABSENT)));
        }
      };
    }

    @Override
    public void put(PartialObjectMetadata object) {
      update(ObjectKey.of(object), versionOf(object));
    }

    @Override
    public void remove(PartialObjectMetadata object) {
      update(ObjectKey.of(object), ObservedVersion.ABSENT);
    }

    private static ObservedVersion versionOf(HasMetadata object) {
      return new ObservedVersion(true, object.getMetadata().getResourceVersion());
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    watch.close();
  }
}
