// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

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
import org.jspecify.annotations.Nullable;

/**
 * Everything that is reported about one node.
 *
 * @param malformed something of it could not be attributed to a plugin
 * @param plugins lowest key id first
 * @param contentHash differs when the report does, for a report that has no readable times
 * @param locations what is said in each of them, if the node reports in more than one
 */
public record NodeReport(
    String node,
    boolean malformed,
    SortedMap<KeyId, PluginReport> plugins,
    String contentHash,
    Map<ReportLocation, NodeReport> locations) {

  public NodeReport {
    plugins = Collections.unmodifiableSortedMap(new TreeMap<>(plugins));
    locations = Map.copyOf(locations);
  }

  /**
   * A report to be written.
   *
   * @param interval the time between two probes, published so that readers need not guess it
   * @param lease the heartbeat, published so that readers need not look for it; null without one
   * @param plugins at least one and no more than readers accept, each key id once
   */
  public static NodeReport of(
      String node, Duration interval, @Nullable LeaseName lease, Collection<PluginReport> plugins) {
    if (plugins.isEmpty() || plugins.size() > ReportLimits.MAX_PLUGINS) {
      throw new IllegalArgumentException(
          "a report is about 1 to %d plugins, not %d"
              .formatted(ReportLimits.MAX_PLUGINS, plugins.size()));
    }
    var byKeyId = new TreeMap<KeyId, PluginReport>();
    for (var plugin : plugins) {
      if (byKeyId.put(plugin.keyId(), plugin.of(interval, lease)) != null) {
        throw new IllegalArgumentException("key id %s twice".formatted(plugin.keyId()));
      }
    }
    return new NodeReport(node, false, byKeyId, "", Map.of());
  }

  static NodeReport malformed(String node, String text) {
    return new NodeReport(node, true, Collections.emptySortedMap(), hashOf(text), Map.of());
  }

  /** What was read from one place. */
  static NodeReport read(String node, Collection<PluginReport> plugins, String text) {
    var merged = new TreeMap<KeyId, PluginReport>();
    plugins.forEach(plugin -> merged.merge(plugin.keyId(), plugin, PluginReport::orWorse));
    var unreadable =
        merged.values().stream().anyMatch(plugin -> plugin.health() == ReportedHealth.MALFORMED);
    return new NodeReport(node, false, merged, unreadable ? hashOf(text) : "", Map.of());
  }

  private static String hashOf(String text) {
    return Integer.toHexString(text.hashCode());
  }

  /** A condition, and entries of the same node in the typed list. */
  NodeReport merge(NodeReport typed) {
    var merged = new TreeMap<>(plugins);
    typed.plugins.forEach((key, plugin) -> merged.merge(key, plugin, PluginReport::orNewer));
    return new NodeReport(
        node,
        malformed || typed.malformed,
        merged,
        contentHash + "," + typed.contentHash,
        Map.of(ReportLocation.CONDITION, this, ReportLocation.TYPED_LIST, typed));
  }

  /** Without what is said in some locations, as long as there are others. */
  public NodeReport without(Predicate<ReportLocation> left) {
    var live = locations.keySet().stream().filter(left.negate()).toList();
    return live.size() == 1 ? at(live.getFirst()) : this;
  }

  public NodeReport at(ReportLocation location) {
    return locations.getOrDefault(location, this);
  }

  /** The condition's status and reason over all plugins; unhealthy wins over unreachable. */
  public Outcome outcome() {
    if (has(ReportedHealth.UNHEALTHY)) {
      return Outcome.UNHEALTHY;
    }
    return has(ReportedHealth.ERROR) ? Outcome.UNREACHABLE : Outcome.AS_EXPECTED;
  }

  /** Whether the other report says the same, apart from times and details. */
  public boolean saysTheSameAs(NodeReport other) {
    return plugins.keySet().equals(other.plugins.keySet())
        && plugins.values().stream()
            .allMatch(
                plugin ->
                    plugin.saysTheSameAs(
                        Objects.requireNonNull(other.plugins.get(plugin.keyId()))));
  }

  /** The Lease that the reporter says it renews. */
  public Optional<LeaseName> lease() {
    return plugins.values().stream().map(PluginReport::lease).filter(Objects::nonNull).findFirst();
  }

  /** The plugins that the API server of the node encrypts with. */
  public SortedSet<KeyId> writeKeys() {
    return plugins.values().stream()
        .filter(plugin -> plugin.role() == ReportedRole.WRITE)
        .map(PluginReport::keyId)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  public boolean hasRoles() {
    return plugins.values().stream().anyMatch(plugin -> plugin.role() != null);
  }

  /** Changes whenever the reporter has probed again and said so. */
  public String fingerprint() {
    return plugins.values().stream()
        .map(plugin -> plugin.keyId() + "@" + plugin.lastChecked())
        .collect(Collectors.joining(" ", contentHash + " ", ""));
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

  public boolean has(ReportedHealth health) {
    return plugins.values().stream().anyMatch(plugin -> plugin.health() == health);
  }

  /** What a condition can say about a node. */
  public enum Outcome {
    AS_EXPECTED("True", "AsExpected"),
    UNHEALTHY("False", "Unhealthy"),
    UNREACHABLE("Unknown", "Unreachable");

    private final String status;
    private final String reason;

    Outcome(String status, String reason) {
      this.status = status;
      this.reason = reason;
    }

    public String status() {
      return status;
    }

    public String reason() {
      return reason;
    }
  }
}
