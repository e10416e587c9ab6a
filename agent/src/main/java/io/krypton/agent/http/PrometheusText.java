// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.http;

import java.util.Locale;

/** Writes metrics in the text format of Prometheus. */
public final class PrometheusText {
  private final StringBuilder text = new StringBuilder();

  /** Begins a metric; its samples follow. */
  public PrometheusText gauge(String name, String help) {
    return begin(name, "gauge", help);
  }

  /** Begins a metric that only grows; its name ends in {@code _total}. */
  public PrometheusText counter(String name, String help) {
    return begin(name, "counter", help);
  }

  /** Begins a metric made of {@code _sum} and {@code _count} samples. */
  public PrometheusText summary(String name, String help) {
    return begin(name, "summary", help);
  }

  private PrometheusText begin(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return this;
  }

  /**
   * Adds one sample.
   *
   * @param labels names and values in turn
   */
  public PrometheusText sample(String name, double value, String... labels) {
    text.append(name);
    for (int i = 0; i + 1 < labels.length; i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
      appendEscaped(labels[i + 1]);
      text.append('"');
    }
    if (labels.length > 0) {
      text.append('}');
    }
    text.append(' ').append(number(value)).append('\n');
    return this;
  }

  private void appendEscaped(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(c);
      }
    }
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%.6f", value);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
