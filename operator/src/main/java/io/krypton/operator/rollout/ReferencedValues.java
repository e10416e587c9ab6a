package io.krypton.operator.rollout;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.watch.MetadataSelection;
import io.krypton.multicluster.watch.NamedWatch;
import io.krypton.operator.values.ParsedValues;
import io.krypton.operator.values.Values;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values that objects of one cluster take from ConfigMaps and Secrets. One metadata watch for each
 * of the two kinds, whatever the number of namespaces, tells when one changed that is referred to;
 * only then is it read again, and its readers hear of it only if their values are others now.
 */
public final class ReferencedValues implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReferencedValues.class);

  private final KubernetesClient client;
  private final Waking waking;
  private final References references = new References();
  private final NamedWatch secrets;
  private final NamedWatch configMaps;
  private final BlockingQueue<Source> changed = new LinkedBlockingQueue<>();
  private final Thread comparing =
      Thread.ofVirtual().name("referenced values").unstarted(this::compareAll);
  private boolean started;

  /** A ConfigMap or Secret. */
  record Source(ValuesReference.Kind kind, String namespace, String name) {}

  /** Hears whose values have changed. */
  public interface Waking {
    Waking NONE =
        new Waking() {
          @Override
          public void changed(WorkKey reader) {}

          @Override
          public void maybeChanged(WorkKey reader) {}
        };

    /** They are others than those that were last read for it. */
    void changed(WorkKey reader);

    /** Something changed, but what could not be found out. */
    void maybeChanged(WorkKey reader);
  }

  /** All referenced values, merged, or what is wrong with one of them. */
  public sealed interface Read {
    record Found(Values values) implements Read {}

    record Wrong(Problem problem, String message) implements Read {}
  }

  /** One for each engaged cluster. It asks nothing of it before somebody refers to something. */
  public ReferencedValues(String cluster, KubernetesClient client, Waking waking) {
    this.client = client;
    this.waking = waking;
    // Helm's own Secrets are by far the most, and hold no values of anybody.
    this.secrets =
        watch(cluster, ValuesReference.Kind.SECRET, "secrets", "type!=helm.sh/release.v1");
    this.configMaps = watch(cluster, ValuesReference.Kind.CONFIG_MAP, "configmaps", "");
  }

  private NamedWatch watch(
      String cluster, ValuesReference.Kind kind, String plural, String fields) {
    return new NamedWatch(
        cluster + "/referenced " + plural,
        client,
        new MetadataSelection("", "v1", plural, "", "").withFields(fields),
        (name, sight) -> seen(new Source(kind, name.namespace(), name.name()), sight.version()));
  }

  private NamedWatch watchOf(Source source) {
    return source.kind() == ValuesReference.Kind.SECRET ? secrets : configMaps;
  }

  private static NamedWatch.Name nameOf(Source source) {
    return new NamedWatch.Name(source.namespace(), source.name());
  }

  /**
   * What the reader refers to, in its own namespace; it is told of changes until it is forgotten.
   */
  public Read read(WorkKey reader, List<ValuesReference> wanted) {
    refer(reader, wanted);
    var read = merged(reader.namespace(), wanted);
    references.hasRead(reader, read);
    return read;
  }

  /** The reader is gone. */
  public void forget(WorkKey reader) {
    refer(reader, List.of());
  }

  /** In one go: what one reader lets go of another may take up. */
  private synchronized void refer(WorkKey reader, List<ValuesReference> wanted) {
    var difference = references.refer(reader, wanted);
    difference.removed().forEach(source -> watchOf(source).unfollow(nameOf(source)));
    difference.added().forEach(source -> watchOf(source).follow(nameOf(source)));
    if (!started && !difference.added().isEmpty()) {
      started = true;
      comparing.start();
    }
  }

  private Read merged(String namespace, List<ValuesReference> wanted) {
    var merged = Values.empty();
    for (var reference : wanted) {
      switch (one(namespace, reference)) {
        case Read.Found(var values) -> merged = merged.overriddenBy(values);
        case Read.Wrong wrong -> {
          return wrong;
        }
      }
    }
    return new Read.Found(merged);
  }

  private Read one(String namespace, ValuesReference reference) {
    var kind = reference.kind();
    if (kind == null) {
      return new Read.Wrong(Problem.VALUES_INVALID, "valuesFrom: kind must be ConfigMap or Secret");
    }
    var origin =
        "%s %s/%s key %s".formatted(word(kind), namespace, reference.name(), reference.key());
    var text =
        Optional.ofNullable(
            data(new Source(kind, namespace, reference.name())).data().get(reference.key()));
    if (text.isEmpty()) {
      return reference.optional()
          ? new Read.Found(Values.empty())
          : new Read.Wrong(
              Problem.VALUES_NOT_FOUND,
              "%s does not exist; create it, or mark the reference optional".formatted(origin));
    }
    return switch (Values.parse(origin, text.get())) {
      case ParsedValues.Parsed(var values) ->
          new Read.Found(kind == ValuesReference.Kind.SECRET ? values.fromSecret() : values);
      case ParsedValues.Invalid(var message) -> new Read.Wrong(Problem.VALUES_INVALID, message);
    };
  }

  /** What was read is good until the watch tells of another version. */
  private References.Content data(Source source) {
    var watch = watchOf(source);
    var known = references.content(source);
    if (known != null && watch.hasSynced()) {
      var sight = watch.sight(nameOf(source));
      if (!sight.known() || sight.version().equals(known.version())) {
        return known;
      }
    }
    var live = source.kind() == ValuesReference.Kind.SECRET ? secret(source) : configMap(source);
    references.put(source, live);
    return live;
  }

  private References.Content configMap(Source source) {
    var live = client.configMaps().inNamespace(source.namespace()).withName(source.name()).get();
    return live == null
        ? References.Content.ABSENT
        : new References.Content(
            live.getMetadata().getResourceVersion(),
            live.getData() == null ? Map.of() : live.getData());
  }

  private References.Content secret(Source source) {
    var live = client.secrets().inNamespace(source.namespace()).withName(source.name()).get();
    if (live == null) {
      return References.Content.ABSENT;
    }
    var decoded = new HashMap<String, String>();
    var data = live.getData() == null ? Map.<String, String>of() : live.getData();
    data.forEach(
        (key, value) ->
            decoded.put(
                key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
    return new References.Content(live.getMetadata().getResourceVersion(), Map.copyOf(decoded));
  }

  private static String word(ValuesReference.Kind kind) {
    return kind == ValuesReference.Kind.SECRET ? "Secret" : "ConfigMap";
  }

  /** On the thread of the watch, which must not wait for an answer. */
  private void seen(Source source, String version) {
    var known = references.content(source);
    if (known == null || !known.version().equals(version)) {
      changed.add(source);
    }
  }

  private void compareAll() {
    try {
      while (true) {
        var source = changed.take();
        references.readersOf(source).forEach(this::compare);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void compare(WorkKey reader) {
    try {
      if (references.differs(reader, merged(reader.namespace(), references.of(reader)))) {
        waking.changed(reader);
      }
    } catch (KubernetesClientException unreadable) {
      log.atDebug()
          .addKeyValue("code", unreadable.getCode())
          .log("a referenced object cannot be read");
      waking.maybeChanged(reader);
    } catch (RuntimeException bug) {
      log.error("changed values could not be compared", bug);
      waking.maybeChanged(reader);
    }
  }

  /** How many objects are referred to. */
  int size() {
    return references.size();
  }

  /** Opens new connections after an outage. */
  public void reconnect() {
    secrets.reconnect();
    configMaps.reconnect();
  }

  @Override
  public void close() {
    secrets.close();
    configMaps.close();
    comparing.interrupt();
  }
}
