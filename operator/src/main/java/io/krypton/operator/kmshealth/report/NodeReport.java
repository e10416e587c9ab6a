package io.krypton.operator.kmshealth.report;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Everything that is reported about one node.
 *
 * @param malformed something of it could not be attributed to a plugin
 * @param trace differs when the report does, for a report that has no readable times
 */
public record NodeReport(
    String node, boolean malformed, SortedMap<KeyId, PluginReport> plugins, String trace) {

  public NodeReport {
    plugins = Collections.unmodifiableSortedMap(new TreeMap<>(plugins));
  }

  static NodeReport malformed(String node, String text) {
    return new NodeReport(
        node, true, Collections.emptySortedMap(), Integer.toHexString(text.hashCode()));
  }

  static NodeReport of(String node, Collection<PluginReport> plugins, String text) {
    var merged = new TreeMap<KeyId, PluginReport>();
    plugins.forEach(plugin -> merged.merge(plugin.keyId(), plugin, PluginReport::orWorse));
    var unreadable =
        merged.values().stream().anyMatch(plugin -> plugin.reported() == Reported.MALFORMED);
    return new NodeReport(
        node, false, merged, unreadable ? Integer.toHexString(text.hashCode()) : "");
  }

  /** The same node in another form. */
  NodeReport and(NodeReport other) {
    var merged = new TreeMap<>(plugins);
    other.plugins.forEach((key, plugin) -> merged.merge(key, plugin, PluginReport::orNewer));
    return new NodeReport(node, malformed || other.malformed, merged, trace + "," + other.trace);
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
