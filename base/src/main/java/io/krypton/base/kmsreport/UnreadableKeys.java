// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import static java.util.stream.Collectors.toCollection;

import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Older remote keys whose data a plugin cannot decrypt, although it is healthy.
 *
 * @param hashes empty if the report does not say which
 */
public record UnreadableKeys(SortedSet<KeyHash> hashes) {
  private static final String WORD = "unreadable";

  public UnreadableKeys {
    hashes = Collections.unmodifiableSortedSet(new TreeSet<>(hashes));
  }

  /** Which they are is not told. */
  public static UnreadableKeys unnamed() {
    return new UnreadableKeys(Collections.emptySortedSet());
  }

  /** Those among the texts that are hashes, up to the limit. */
  public static UnreadableKeys named(Stream<String> hashes) {
    return new UnreadableKeys(
        hashes
            .filter(KeyHash::isHash)
            .map(KeyHash::new)
            .limit(ReportLimits.MAX_UNREADABLE_KEYS)
            .collect(toCollection(TreeSet::new)));
  }

  /** Reads {@code unreadable} and {@code unreadable:<hex>,<hex>}; empty if it is neither. */
  static Optional<UnreadableKeys> parse(String text) {
    if (text.equals(WORD)) {
      return Optional.of(unnamed());
    }
    return text.startsWith(WORD + ":")
        ? Optional.of(
            named(Stream.of(text.substring(WORD.length() + 1).split(",")).map("sha256:"::concat)))
        : Optional.empty();
  }

  /** Without spaces, so that it fits into a line. */
  String format() {
    return hashes.isEmpty()
        ? WORD
        : hashes.stream().map(KeyHash::hex).collect(Collectors.joining(",", WORD + ":", ""));
  }

  /** What is left when some keys are known to be gone on purpose; empty if that explains all. */
  public Optional<UnreadableKeys> without(Collection<String> retired) {
    var left = new TreeSet<>(hashes);
    left.removeIf(hash -> retired.contains(hash.text()));
    return left.isEmpty() && !hashes.isEmpty()
        ? Optional.empty()
        : Optional.of(new UnreadableKeys(left));
  }
}
