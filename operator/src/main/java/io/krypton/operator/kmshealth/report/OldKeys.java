package io.krypton.operator.kmshealth.report;

import static java.util.stream.Collectors.toCollection;

import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Older remote keys whose data a plugin cannot decrypt.
 *
 * @param hashes as {@code sha256:<hex>}; empty if the report does not say which
 */
public record OldKeys(SortedSet<String> hashes) {
  private static final String UNREADABLE = "unreadable";
  private static final int MOST = 16;

  public OldKeys {
    hashes = Collections.unmodifiableSortedSet(new TreeSet<>(hashes));
  }

  /** Which they are is not told. */
  static OldKeys unnamed() {
    return new OldKeys(Collections.emptySortedSet());
  }

  static OldKeys named(Stream<String> hashes) {
    return new OldKeys(
        hashes.filter(KeyHash::isHash).limit(MOST).collect(toCollection(TreeSet::new)));
  }

  /** Reads {@code unreadable} and {@code unreadable:<hex>,<hex>}; empty if it is neither. */
  static Optional<OldKeys> parse(String text) {
    if (text.equals(UNREADABLE)) {
      return Optional.of(unnamed());
    }
    return text.startsWith(UNREADABLE + ":")
        ? Optional.of(
            named(
                Stream.of(text.substring(UNREADABLE.length() + 1).split(",")).map(KeyHash::ofHex)))
        : Optional.empty();
  }

  /** What is left when some keys are known to be gone on purpose; empty if that explains all. */
  public Optional<OldKeys> without(Collection<String> retired) {
    var left = new TreeSet<>(hashes);
    left.removeAll(retired);
    return left.isEmpty() && !hashes.isEmpty() ? Optional.empty() : Optional.of(new OldKeys(left));
  }
}
