package io.krypton.multicluster.watch;

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
 * Follows objects of one kind by their names, in whatever namespaces, through one watch of metadata
 * for all of them. Nothing is kept of objects that nobody asked for.
 *
 * <p>An object is {@link Sight#UNKNOWN} until the server has said something about it after {@link
 * #follow}. Whoever reads it after that call, once the watch has synced, has its newest state as
 * long as it stays unknown.
 */
public final class NamedWatch implements AutoCloseable {
  private final Map<Name, Sight> followed = new ConcurrentHashMap<>();
  private final MetadataWatch watch;
  private final Listener listener;
  private boolean started;
  private boolean closed;

  /** An object's name; the namespace of a cluster-scoped object is empty. */
  public record Name(String namespace, String name) {
    static Name of(HasMetadata object) {
      var namespace = object.getMetadata().getNamespace();
      return new Name(namespace == null ? "" : namespace, object.getMetadata().getName());
    }
  }

  /**
   * What the server last said about an object.
   *
   * @param version its resource version, empty if it does not exist or is unknown
   */
  public record Sight(boolean known, String version) {
    public static final Sight UNKNOWN = new Sight(false, "");
    public static final Sight ABSENT = new Sight(true, "");

    public boolean isAbsent() {
      return known && version.isEmpty();
    }
  }

  /** Hears of each change of a followed object. Must be quick: the watch waits for it. */
  @FunctionalInterface
  public interface Listener {
    void seen(Name name, Sight sight);
  }

  /**
   * Asks nothing of the server before a name is followed.
   *
   * @param name of the watch in log lines, e.g. {@code cluster/kind}
   */
  public NamedWatch(
      String name, KubernetesClient client, MetadataSelection selection, Listener listener) {
    this.listener = listener;
    this.watch =
        new MetadataWatch(name, client, selection, new Noting(), MetadataWatch.LONGEST_SILENCE);
  }

  public void follow(Name name) {
    var _ = followed.putIfAbsent(name, Sight.UNKNOWN);
    synchronized (this) {
      if (!started && !closed) {
        started = true;
        watch.start();
      }
    }
  }

  public void unfollow(Name name) {
    followed.remove(name);
  }

  /** Unknown also for what is not followed. */
  public Sight sight(Name name) {
    return followed.getOrDefault(name, Sight.UNKNOWN);
  }

  /** Whether the first list has arrived. */
  public boolean hasSynced() {
    return watch.synced().isDone() && !watch.synced().isCompletedExceptionally();
  }

  /** What keeps the watch from being up to date at present. */
  public Optional<ApiFailure> failure() {
    return watch.failure();
  }

  /** As {@link ObjectCache#reconnect}. */
  public void reconnect() {
    watch.reconnect();
  }

  private void note(Name name, Sight sight) {
    var before = followed.replace(name, sight);
    if (before != null && !before.equals(sight)) {
      listener.seen(name, sight);
    }
  }

  private final class Noting implements MetadataWatch.Sink {
    /** Speaks only about names that were followed when it began: of others no page was kept. */
    @Override
    public MetadataWatch.Pages listing() {
      var asked = Set.copyOf(followed.keySet());
      var found = new HashMap<Name, Sight>();
      return new MetadataWatch.Pages() {
        @Override
        public void add(List<PartialObjectMetadata> page) {
          for (var object : page) {
            var name = Name.of(object);
            if (asked.contains(name)) {
              found.put(name, sightOf(object));
            }
          }
        }

        @Override
        public void complete() {
          asked.forEach(name -> note(name, found.getOrDefault(name, Sight.ABSENT)));
        }
      };
    }

    @Override
    public void put(PartialObjectMetadata object) {
      note(Name.of(object), sightOf(object));
    }

    @Override
    public void remove(PartialObjectMetadata object) {
      note(Name.of(object), Sight.ABSENT);
    }

    private static Sight sightOf(HasMetadata object) {
      return new Sight(true, object.getMetadata().getResourceVersion());
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
