package io.krypton.operator.kmshealth.report;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Everything that is reported about one node.
 *
 * @param malformed something of it could not be attributed to a plugin
 * @param trace differs when the report does, for a report that has no readable times
 * @param places what is said in each of them, if the node reports in more than one
 */
public record NodeReport(
    String node,
    boolean malformed,
    SortedMap<KeyId, PluginReport> plugins,
    String trace,
    Map<Place, NodeReport> places) {

  public NodeReport {
    plugins = Collections.unmodifiableSortedMap(new TreeMap<>(plugins));
    places = Map.copyOf(places);
  }

  static NodeReport malformed(String node, String text) {
    return new NodeReport(
        node, true, Collections.emptySortedMap(), Integer.toHexString(text.hashCode()), Map.of());
  }

  static NodeReport of(String node, Collection<PluginReport> plugins, String text) {
    var merged = new TreeMap<KeyId, PluginReport>();
    plugins.forEach(plugin -> merged.merge(plugin.keyId(), plugin, PluginReport::orWorse));
    var unreadable =
        merged.values().stream().anyMatch(plugin -> plugin.reported() == Reported.MALFORMED);
    return new NodeReport(
        node, false, merged, unreadable ? Integer.toHexString(text.hashCode()) : "", Map.of());
  }

  /** A condition, and entries of the same node in the typed list. */
  NodeReport and(NodeReport typed) {
    var merged = new TreeMap<>(plugins);
    typed.plugins.forEach((key, plugin) -> merged.merge(key, plugin, PluginReport::orNewer));
    return new NodeReport(
        node,
        malformed || typed.malformed,
        merged,
        trace + "," + typed.trace,
        Map.of(Place.CONDITION, this, Place.TYPED_LIST, typed));
  }

  /** Without what is said in some places, as long as there are others. */
  public NodeReport without(Predicate<Place> left) {
    var live = places.keySet().stream().filter(left.negate()).toList();
    return live.size() == 1 ? at(live.getFirst()) : this;
  }

  public NodeReport at(Place place) {
    return places.getOrDefault(place, this);
  }

  /** The Lease that the reporter says it renews. */
  public Optional<LeaseName> lease() {
    return plugins.values().stream().map(PluginReport::lease).filter(Objects::nonNull).findFirst();
  }

  /** The plugins that the API server of the node encrypts with. */
  public SortedSet<KeyId> writing() {
    var writing = new TreeSet<KeyId>();
    plugins.forEach(
        (key, plugin) -> {
          if (plugin.role() == Role.WRITE) {
            writing.add(key);
          }
        });
    return writing;
  }

  public boolean tellsRoles() {
    return plugins.values().stream().anyMatch(plugin -> plugin.role() != null);
  }

  /** Changes whenever the reporter has probed again and said so. */
  public String evidence() {
    return plugins.values().stream()
        .map(plugin -> plugin.keyId() + "@" + plugin.lastChecked())
        .collect(Collectors.joining(" ", trace + " ", ""));
  }

  public Optional<Instant> newestCheck() {
    return plugins.values().stream()
        .map(PluginReport::lastChecked)
        .filter(Objects::nonNull)
        .max(Instant::compareTo);
  }

  /** The longest that a plugin of this node claims. */
  public Optional<Duration> interval() {
    return plugins.values().stream()
        .map(PluginReport::interval)
        .filter(Objects::nonNull)
        .max(Duration::compareTo);
  }

  public boolean has(Reported reported) {
    return plugins.values().stream().anyMatch(plugin -> plugin.reported() == reported);
  }
}
