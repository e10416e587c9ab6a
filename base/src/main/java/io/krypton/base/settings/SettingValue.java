// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.settings;

/**
 * A value as it was given.
 *
 * @param source where it comes from, for messages: {@code --interval}, {@code KRYPTON_INTERVAL},
 *     {@code --config "f"}; empty for a default
 */
public record SettingValue(Setting setting, String text, Layer layer, String source) {
  /** Where values come from; an earlier one wins. */
  public enum Layer {
    FLAG,
    VARIABLE,
    FILE,
    DEFAULT
  }

  /** The value, unless it is a secret. */
  public String shown() {
    return setting.secret() ? "***" : text;
  }

  /**
   * A sentence about the value, which names the flag and, if it was not the flag that gave it, the
   * source.
   *
   * @param wrong what is wrong and what to do, as in {@code must be one of a, b}
   */
  public String complaint(String wrong) {
    var from = layer == Layer.VARIABLE || layer == Layer.FILE ? " (from %s)".formatted(source) : "";
    return "%s \"%s\" %s%s".formatted(setting.flag(), shown(), wrong, from);
  }

  @Override
  public String toString() {
    return "%s=%s".formatted(setting.flag(), shown());
  }
}
