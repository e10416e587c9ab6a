// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.settings;

import io.krypton.base.http.BindAddress;
import io.krypton.base.text.GoBool;
import io.krypton.base.text.GoDuration;
import io.krypton.base.text.NearestWord;
import io.krypton.base.text.Rfc1123;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads all settings of a program and finds all mistakes, not only the first: each getter notes
 * what is wrong and answers with something harmless, and {@link #throwIfInvalid} comes last.
 */
public final class SettingsReader {
  private final SettingSources sources;
  private final List<String> errors = new ArrayList<>();

  /**
   * Notes unknown flags and unknown keys of the file.
   *
   * @param known all settings of the program
   */
  public SettingsReader(SettingSources sources, Collection<Setting> known) {
    this.sources = sources;
    var names = known.stream().flatMap(setting -> setting.names().stream()).toList();
    sources.flags().keySet().stream()
        .filter(flag -> !names.contains(flag))
        .sorted()
        .forEach(
            flag ->
                errors.add(
                    "--%s is not a flag%s".formatted(flag, NearestWord.question(flag, names))));
    errors.addAll(sources.file().unknownKeys(known));
  }

  public String text(Setting setting) {
    return sources.find(setting).text();
  }

  /** A text that is not empty. */
  public String required(Setting setting) {
    var text = text(setting);
    if (text.isEmpty()) {
      errors.add(setting.flag() + " is required");
    }
    return text;
  }

  public Duration duration(Setting setting) {
    return parsed(
        setting,
        GoDuration::parse,
        "is not a duration, write for example 30s",
        Duration.ofSeconds(1));
  }

  public Duration positive(Setting setting) {
    var duration = duration(setting);
    if (!duration.isPositive()) {
      reject(setting, "must be positive");
    }
    return duration;
  }

  public Duration notNegative(Setting setting) {
    var duration = duration(setting);
    if (duration.isNegative()) {
      reject(setting, "must not be negative");
    }
    return duration;
  }

  /** Positive and no longer than a limit. */
  public Duration atMost(Setting setting, Duration limit) {
    var duration = positive(setting);
    if (duration.compareTo(limit) > 0) {
      reject(setting, "must be at most " + GoDuration.compact(limit));
    }
    return duration;
  }

  /** In the spellings of Go. */
  public boolean bool(Setting setting) {
    return parsed(setting, GoBool::parse, "must be one of false, true", false);
  }

  public int number(Setting setting, int least, int most) {
    return parsed(
        setting,
        text ->
            text.matches("-?\\d{1,9}")
                ? Optional.of(Integer.parseInt(text)).filter(it -> it >= least && it <= most)
                : Optional.empty(),
        "must be a number from %d to %d".formatted(least, most),
        least);
  }

  /** One of a few values, by their name on the command line. */
  public <T> T oneOf(Setting setting, T[] values, Function<T, String> name) {
    var names = Arrays.stream(values).map(name).collect(Collectors.joining(", "));
    return parsed(
        setting,
        text -> Arrays.stream(values).filter(it -> name.apply(it).equals(text)).findFirst(),
        "must be one of " + names,
        values[0]);
  }

  /** An address that needs no name service. */
  public BindAddress listenAddress(Setting setting) {
    return parsed(setting, BindAddress::parseLiteral, BindAddress.LITERAL_FORM, BindAddress.OFF);
  }

  /** The name of a namespace, for example. */
  public String label(Setting setting) {
    return parsed(
        setting,
        text -> Optional.of(text).filter(Rfc1123::isLabel),
        "must be a lowercase RFC 1123 label of at most 63 characters",
        "");
  }

  /** The name of a node, for example. */
  public String subdomain(Setting setting) {
    return parsed(
        setting,
        text -> Optional.of(text).filter(Rfc1123::isSubdomain),
        "must be a lowercase RFC 1123 subdomain of at most 253 characters",
        "");
  }

  /**
   * A value of any type.
   *
   * @param wrong says what is wrong and what to do when the text is no such value
   * @param otherwise what to go on with then
   */
  public <T> T parsed(
      Setting setting, Function<String, Optional<T>> parser, String wrong, T otherwise) {
    var parsed = parser.apply(text(setting));
    if (parsed.isEmpty()) {
      reject(setting, wrong);
    }
    return parsed.orElse(otherwise);
  }

  /** Notes what is wrong with the value of a setting: {@code must be positive}. */
  public void reject(Setting setting, String wrong) {
    errors.add(sources.find(setting).complaint(wrong));
  }

  /** Notes an error that is not about one value. */
  public void reject(String error) {
    errors.add(error);
  }

  public List<String> errors() {
    return List.copyOf(errors);
  }

  public void throwIfInvalid() throws SettingsException {
    if (!errors.isEmpty()) {
      throw new SettingsException(errors);
    }
  }
}
