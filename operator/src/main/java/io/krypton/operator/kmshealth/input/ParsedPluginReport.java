package io.krypton.operator.kmshealth.input;

import static java.util.stream.Collectors.toCollection;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one report says about one plugin. All texts come from outside and may hold anything.
 *
 * @param lastChecked by the clock of the node; null only if malformed
 * @param interval the time between two probes, if the report tells it
 * @param role null if the report does not tell it
 * @param lease of the reporter, if the report names it
 * @param oldKeys that it cannot read; null if there are none
 */
public record ParsedPluginReport(
    KeyId keyId,
    ReportedStatus status,
    @Nullable Instant lastChecked,
    @Nullable String remoteKeyId,
    @Nullable String cause,
    @Nullable Duration interval,
    @Nullable String detail,
    Format format,
    @Nullable Role role,
    @Nullable LeaseRef lease,
    @Nullable UnreadableOldKeys oldKeys) {
  private static final String OLD_KEY_UNREADABLE = "OldKeyUnreadable";

  /** A plugin that works but for the data of an older key was once reported as failing. */
  public ParsedPluginReport {
    if (status == ReportedStatus.UNHEALTHY && OLD_KEY_UNREADABLE.equals(cause)) {
      status = ReportedStatus.HEALTHY;
      oldKeys = oldKeys == null ? UnreadableOldKeys.unnamed() : oldKeys;
    }
  }

  static ParsedPluginReport malformed(KeyId keyId, Format format) {
    return new ParsedPluginReport(
        keyId, ReportedStatus.MALFORMED, null, null, null, null, null, format, null, null, null);
  }

  /** Two lines of one report: neither can be trusted more, so the worse counts. */
  ParsedPluginReport orWorse(ParsedPluginReport other) {
    return other.status.compareTo(status) > 0 ? other : this;
  }

  /**
   * The same plugin in two forms, as a reporter leaves them that was replaced by one of another
   * age: the newer counts. What cannot be read is never passed over.
   */
  ParsedPluginReport orNewer(ParsedPluginReport other) {
    if (lastChecked == null || other.lastChecked == null) {
      return lastChecked == null ? this : other;
    }
    var order = lastChecked.compareTo(other.lastChecked);
    var thisCounts = order == 0 ? format.compareTo(other.format) >= 0 : order > 0;
    return thisCounts ? this : other;
  }

  /** The three forms of a report, in the order in which they came into use. */
  public enum Format {
    /** A condition whose message has one line of {@code key=value} for each plugin. */
    LINES,
    /** A condition whose message is a JSON array. */
    JSON,
    /** Entries of the typed list. */
    TYPED
  }

  /** The Lease that a reporter says it renews. */
  public record LeaseRef(String namespace, String name) {
    private static final Pattern FORM =
        Pattern.compile(
            "([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)/([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?)");

    /** Empty if no Lease can have such a name. */
    static Optional<LeaseRef> parse(String text) {
      var parts = FORM.matcher(text);
      return parts.matches()
          ? Optional.of(new LeaseRef(parts.group(1), parts.group(3)))
          : Optional.empty();
    }
  }

  /**
   * Older remote keys whose data a plugin cannot decrypt.
   *
   * @param hashes as {@code sha256:<hex>}; empty if the report does not say which
   */
  public record UnreadableOldKeys(SortedSet<String> hashes) {
    private static final String UNREADABLE = "unreadable";
    private static final int MOST = 16;

    public UnreadableOldKeys {
      hashes = Collections.unmodifiableSortedSet(new TreeSet<>(hashes));
    }

    /** Which they are is not told. */
    static UnreadableOldKeys unnamed() {
      return new UnreadableOldKeys(Collections.emptySortedSet());
    }

    static UnreadableOldKeys named(Stream<String> hashes) {
      return new UnreadableOldKeys(
          hashes.filter(RemoteKeyHash::isHash).limit(MOST).collect(toCollection(TreeSet::new)));
    }

    /** Reads {@code unreadable} and {@code unreadable:<hex>,<hex>}; empty if it is neither. */
    static Optional<UnreadableOldKeys> parse(String text) {
      if (text.equals(UNREADABLE)) {
        return Optional.of(unnamed());
      }
      return text.startsWith(UNREADABLE + ":")
          ? Optional.of(
              named(
                  Stream.of(text.substring(UNREADABLE.length() + 1).split(","))
                      .map(RemoteKeyHash::ofHex)))
          : Optional.empty();
    }

    /** What is left when some keys are known to be gone on purpose; empty if that explains all. */
    public Optional<UnreadableOldKeys> without(Collection<String> retired) {
      var left = new TreeSet<>(hashes);
      left.removeAll(retired);
      return left.isEmpty() && !hashes.isEmpty()
          ? Optional.empty()
          : Optional.of(new UnreadableOldKeys(left));
    }
  }

  /**
   * What a report says about a plugin. Of two lines about the same plugin the later value counts.
   */
  public enum ReportedStatus {
    HEALTHY,
    /** Its line cannot be read. */
    MALFORMED,
    /** It does not answer. */
    ERROR,
    /** It answers, but not as it should. */
    UNHEALTHY
  }

  /** What the API server of a node uses a plugin for, as far as its reporter knows. */
  public enum Role {
    /** It encrypts. */
    WRITE,
    /** It only decrypts. */
    READ
  }
}
