// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.NamedObjectWatch;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.ParseResult;
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
  private final ValuesListener listener;
  private final ValuesReferenceIndex valuesReferenceIndex = new ValuesReferenceIndex();
  private final NamedObjectWatch secrets;
  private final NamedObjectWatch configMaps;
  private final BlockingQueue<Source> changed = new LinkedBlockingQueue<>();
  private final Thread comparisonThread =
      Thread.ofVirtual().name("referenced values").unstarted(this::compareAll);
  private boolean started;

  /** A ConfigMap or Secret. */
  record Source(ValuesReference.Kind kind, String namespace, String name) {}

  /** Hears whose values have changed. */
  public interface ValuesListener {
    ValuesListener NONE =
        new ValuesListener() {
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
  public sealed interface ReadResult {
    record Found(ChartValues values) implements ReadResult {}

    record Invalid(FailureReason reason, String message) implements ReadResult {}
  }

  /** One for each engaged cluster. It asks nothing of it before somebody refers to something. */
  public ReferencedValues(String cluster, KubernetesClient client, ValuesListener valuesListener) {
    this.client = client;
    this.listener = valuesListener;
    // Helm's own Secrets are by far the most, and hold no values of anybody.
    this.secrets =
        watch(cluster, ValuesReference.Kind.SECRET, "secrets", "type!=helm.sh/release.v1");
    this.configMaps = watch(cluster, ValuesReference.Kind.CONFIG_MAP, "configmaps", "");
  }

  private NamedObjectWatch watch(
      String cluster, ValuesReference.Kind kind, String plural, String fields) {
    return new NamedObjectWatch(
        cluster + "/referenced " + plural,
        client,
        new MetadataSelection("", "v1", plural, "", "").withFields(fields),
        (objectKey, observedVersion) ->
            onSourceChanged(
                new Source(kind, objectKey.namespace(), objectKey.name()),
                observedVersion.version()));
  }

  private NamedObjectWatch watchOf(Source source) {
    return source.kind() == ValuesReference.Kind.SECRET ? secrets : configMaps;
  }

  private static NamedObjectWatch.ObjectKey nameOf(Source source) {
    return new NamedObjectWatch.ObjectKey(source.namespace(), source.name());
  }

  /**
   * What the reader refers to, in its own namespace; its changes are reported until it is
   * forgotten.
   */
  public ReadResult read(WorkKey reader, List<ValuesReference> wanted) {
    updateReferences(reader, wanted);
    var readResult = merged(reader.namespace(), wanted);
    valuesReferenceIndex.recordDigest(reader, readResult);
    return readResult;
  }

  /** The reader is gone. */
  public void forget(WorkKey reader) {
    updateReferences(reader, List.of());
  }

  /** In one go: what one reader lets go of another may take up. */
  private synchronized void updateReferences(WorkKey reader, List<ValuesReference> wanted) {
    var difference = valuesReferenceIndex.update(reader, wanted);
    difference.removed().forEach(source -> watchOf(source).unfollow(nameOf(source)));
    difference.added().forEach(source -> watchOf(source).follow(nameOf(source)));
    if (!started && !difference.added().isEmpty()) {
      started = true;
      comparisonThread.start();
    }
  }

  private ReadResult merged(String namespace, List<ValuesReference> wanted) {
    var merged = ChartValues.empty();
    for (var reference : wanted) {
      switch (readOne(namespace, reference)) {
        case ReadResult.Found(var chartValues) -> merged = merged.mergedWith(chartValues);
        case ReadResult.Invalid invalid -> {
          return invalid;
        }
      }
    }
    return new ReadResult.Found(merged);
  }

  private ReadResult readOne(String namespace, ValuesReference reference) {
    var kind = reference.kind();
    if (kind == null) {
      return new ReadResult.Invalid(
          FailureReason.VALUES_INVALID, "valuesFrom: kind must be ConfigMap or Secret");
    }
    var origin =
        "%s %s/%s key %s".formatted(kindName(kind), namespace, reference.name(), reference.key());
    var text =
        Optional.ofNullable(
            data(new Source(kind, namespace, reference.name())).data().get(reference.key()));
    if (text.isEmpty()) {
      return reference.optional()
          ? new ReadResult.Found(ChartValues.empty())
          : new ReadResult.Invalid(
              FailureReason.VALUES_NOT_FOUND,
              "%s does not exist; create it, or mark the reference optional".formatted(origin));
    }
    return switch (ChartValues.parse(origin, text.get())) {
      case ParseResult.Parsed(var chartValues) ->
          new ReadResult.Found(
              kind == ValuesReference.Kind.SECRET ? chartValues.asSecret() : chartValues);
      case ParseResult.Invalid(var message) ->
          new ReadResult.Invalid(FailureReason.VALUES_INVALID, message);
    };
  }

  /** What was read is good until the watch shows another version. */
  private ValuesReferenceIndex.Content data(Source source) {
    var watch = watchOf(source);
    var known = valuesReferenceIndex.content(source);
    if (known != null && watch.hasSynced()) {
      var observedVersion = watch.observed(nameOf(source));
      if (!observedVersion.known() || observedVersion.version().equals(known.version())) {
        return known;
      }
    }
    var live = source.kind() == ValuesReference.Kind.SECRET ? secret(source) : configMap(source);
    valuesReferenceIndex.put(source, live);
    return live;
  }

  private ValuesReferenceIndex.Content configMap(Source source) {
    var live = client.configMaps().inNamespace(source.namespace()).withName(source.name()).get();
    return live == null
        ? ValuesReferenceIndex.Content.ABSENT
        : new ValuesReferenceIndex.Content(
            live.getMetadata().getResourceVersion(),
            live.getData() == null ? Map.of() : live.getData());
  }

  private ValuesReferenceIndex.Content secret(Source source) {
    var live = client.secrets().inNamespace(source.namespace()).withName(source.name()).get();
    if (live == null) {
      return ValuesReferenceIndex.Content.ABSENT;
    }
    var decoded = new HashMap<String, String>();
    var data = live.getData() == null ? Map.<String, String>of() : live.getData();
    data.forEach(
        (key, value) ->
            decoded.put(
                key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
    return new ValuesReferenceIndex.Content(
        live.getMetadata().getResourceVersion(), Map.copyOf(decoded));
  }

  private static String kindName(ValuesReference.Kind kind) {
    return kind == ValuesReference.Kind.SECRET ? "Secret" : "ConfigMap";
  }

  /** On the thread of the watch, which must not wait for an answer. */
  private void onSourceChanged(Source source, String version) {
    var known = valuesReferenceIndex.content(source);
    if (known == null || !known.version().equals(version)) {
      changed.add(source);
    }
  }

  private void compareAll() {
    try {
      while (true) {
        var source = changed.take();
        valuesReferenceIndex.readersOf(source).forEach(this::compare);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void compare(WorkKey reader) {
    try {
      if (valuesReferenceIndex.differs(
          reader, merged(reader.namespace(), valuesReferenceIndex.referencesOf(reader)))) {
        listener.changed(reader);
      }
    } catch (KubernetesClientException unreadable) {
      log.atDebug()
          .addKeyValue("code", unreadable.getCode())
          .log("a referenced object cannot be read");
      listener.maybeChanged(reader);
    } catch (RuntimeException bug) {
      log.error("changed values could not be compared", bug);
      listener.maybeChanged(reader);
    }
  }

  /** How many objects are referred to. */
  int size() {
    return valuesReferenceIndex.size();
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
    comparisonThread.interrupt();
  }
}
