package io.krypton.operator.rollout;

import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.multicluster.watch.MetadataCache;
import io.krypton.multicluster.watch.MetadataSelection;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.values.ParsedValues;
import io.krypton.operator.values.Values;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Values that objects of one cluster take from ConfigMaps and Secrets. One metadata watch per
 * namespace and kind tells when one changed; only then is it read again.
 */
public final class ReferencedValues implements AutoCloseable {
  private final String cluster;
  private final KubernetesClient client;
  private final Consumer<String> changedIn;
  private final Map<Place, ObjectCache<PartialObjectMetadata>> watches = new HashMap<>();
  private final Map<Source, Content> contents = new ConcurrentHashMap<>();
  private boolean closed;

  private record Place(ValuesReference.Kind kind, String namespace) {}

  private record Source(Place place, String name) {}

  /** Holds Secrets: never printed. */
  private record Content(String resourceVersion, Map<String, String> data) {
    @Override
    public String toString() {
      return "Content(" + resourceVersion + ")";
    }
  }

  /** All referenced values, merged, or what is wrong with one of them. */
  public sealed interface Read {
    record Found(Values values) implements Read {}

    record Wrong(Problem problem, String message) implements Read {}
  }

  /**
   * One for each engaged cluster.
   *
   * @param changedIn hears of a namespace in which something that may be referenced changed
   */
  public ReferencedValues(String cluster, KubernetesClient client, Consumer<String> changedIn) {
    this.cluster = cluster;
    this.client = client;
    this.changedIn = changedIn;
  }

  public Read read(String namespace, List<ValuesReference> references) {
    var merged = Values.empty();
    for (var reference : references) {
      switch (read(namespace, reference)) {
        case Read.Found(var values) -> merged = merged.overriddenBy(values);
        case Read.Wrong wrong -> {
          return wrong;
        }
      }
    }
    return new Read.Found(merged);
  }

  private Read read(String namespace, ValuesReference reference) {
    var kind = reference.kind();
    if (kind == null) {
      return new Read.Wrong(Problem.VALUES_INVALID, "valuesFrom: kind must be ConfigMap or Secret");
    }
    var origin =
        "%s %s/%s key %s".formatted(word(kind), namespace, reference.name(), reference.key());
    var text =
        data(new Source(new Place(kind, namespace), reference.name()))
            .map(data -> data.get(reference.key()));
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

  private Optional<Map<String, String>> data(Source source) {
    var watch = watch(source.place());
    if (watch == null || !watch.hasSynced()) {
      return fetch(source).map(Content::data);
    }
    var known = watch.get(source.place().namespace(), source.name());
    if (known.isEmpty()) {
      contents.remove(source);
      return Optional.empty();
    }
    var content = contents.get(source);
    if (content != null
        && content.resourceVersion().equals(known.get().getMetadata().getResourceVersion())) {
      return Optional.of(content.data());
    }
    return fetch(source).map(Content::data);
  }

  private Optional<Content> fetch(Source source) {
    var content =
        source.place().kind() == ValuesReference.Kind.SECRET ? secret(source) : configMap(source);
    if (content == null) {
      return Optional.empty();
    }
    contents.put(source, content);
    return Optional.of(content);
  }

  private @Nullable Content configMap(Source source) {
    var live =
        client.configMaps().inNamespace(source.place().namespace()).withName(source.name()).get();
    return live == null
        ? null
        : new Content(
            live.getMetadata().getResourceVersion(),
            live.getData() == null ? Map.of() : live.getData());
  }

  private @Nullable Content secret(Source source) {
    var live =
        client.secrets().inNamespace(source.place().namespace()).withName(source.name()).get();
    if (live == null) {
      return null;
    }
    var decoded = new HashMap<String, String>();
    var data = live.getData() == null ? Map.<String, String>of() : live.getData();
    data.forEach(
        (key, value) ->
            decoded.put(
                key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
    return new Content(live.getMetadata().getResourceVersion(), Map.copyOf(decoded));
  }

  private @Nullable ObjectCache<PartialObjectMetadata> watch(Place place) {
    synchronized (watches) {
      return closed ? null : watches.computeIfAbsent(place, this::follow);
    }
  }

  private ObjectCache<PartialObjectMetadata> follow(Place place) {
    var plural = place.kind() == ValuesReference.Kind.SECRET ? "secrets" : "configmaps";
    var cache =
        new MetadataCache(
            cluster + "/" + plural + " in " + place.namespace(),
            client,
            new MetadataSelection("", "v1", plural, place.namespace(), ""),
            Map.of());
    var _ = cache.subscribe((before, after) -> changedIn.accept(place.namespace()));
    cache.start();
    return cache;
  }

  private static String word(ValuesReference.Kind kind) {
    return kind == ValuesReference.Kind.SECRET ? "Secret" : "ConfigMap";
  }

  @Override
  public void close() {
    synchronized (watches) {
      closed = true;
      watches.values().forEach(ObjectCache::close);
    }
  }
}
