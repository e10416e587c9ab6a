package io.krypton.operator.kmshealth.input;

import io.krypton.operator.kmshealth.input.ParsedPluginReport.LeaseRef;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.ReportedStatus;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.Role;
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
 * @param contentHash differs when the report does, for a report that has no readable times
 * @param locations what is said in each of them, if the node reports in more than one
 */
public record ParsedNodeReport(
    String node,
    boolean malformed,
    SortedMap<KeyId, ParsedPluginReport> plugins,
    String contentHash,
    Map<Location, ParsedNodeReport> locations) {

  public ParsedNodeReport {
    plugins = Collections.unmodifiableSortedMap(new TreeMap<>(plugins));
    locations = Map.copyOf(locations);
  }

  static ParsedNodeReport malformed(String node, String text) {
    return new ParsedNodeReport(
        node, true, Collections.emptySortedMap(), Integer.toHexString(text.hashCode()), Map.of());
  }

  static ParsedNodeReport of(String node, Collection<ParsedPluginReport> plugins, String text) {
    var merged = new TreeMap<KeyId, ParsedPluginReport>();
    plugins.forEach(plugin -> merged.merge(plugin.keyId(), plugin, ParsedPluginReport::orWorse));
    var unreadable =
        merged.values().stream().anyMatch(plugin -> plugin.status() == ReportedStatus.MALFORMED);
    return new ParsedNodeReport(
        node, false, merged, unreadable ? Integer.toHexString(text.hashCode()) : "", Map.of());
  }

  /** A condition, and entries of the same node in the typed list. */
  ParsedNodeReport merge(ParsedNodeReport typed) {
    var merged = new TreeMap<>(plugins);
    typed.plugins.forEach((key, plugin) -> merged.merge(key, plugin, ParsedPluginReport::orNewer));
    return new ParsedNodeReport(
        node,
        malformed || typed.malformed,
        merged,
        contentHash + "," + typed.contentHash,
        Map.of(Location.CONDITION, this, Location.TYPED_LIST, typed));
  }

  /** Without what is said in some places, as long as there are others. */
  public ParsedNodeReport without(Predicate<Location> left) {
    var live = locations.keySet().stream().filter(left.negate()).toList();
    return live.size() == 1 ? at(live.getFirst()) : this;
  }

  public ParsedNodeReport at(Location location) {
    return locations.getOrDefault(location, this);
  }

  /** The Lease that the reporter says it renews. */
  public Optional<LeaseRef> lease() {
    return plugins.values().stream()
        .map(ParsedPluginReport::lease)
        .filter(Objects::nonNull)
        .findFirst();
  }

  /** The plugins that the API server of the node encrypts with. */
  public SortedSet<KeyId> writeKeys() {
    var writing = new TreeSet<KeyId>();
    plugins.forEach(
        (key, plugin) -> {
          if (plugin.role() == Role.WRITE) {
            writing.add(key);
          }
        });
    return writing;
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
        .map(ParsedPluginReport::lastChecked)
        .filter(Objects::nonNull)
        .max(Instant::compareTo);
  }

  /** The longest that a plugin of this node claims. */
  public Optional<Duration> interval() {
    return plugins.values().stream()
        .map(ParsedPluginReport::interval)
        .filter(Objects::nonNull)
        .max(Duration::compareTo);
  }

  public boolean has(ReportedStatus reportedStatus) {
    return plugins.values().stream().anyMatch(plugin -> plugin.status() == reportedStatus);
  }

  /** Where a node reports. A reporter uses one of them. */
  public enum Location {
    CONDITION,
    TYPED_LIST
  }
}
