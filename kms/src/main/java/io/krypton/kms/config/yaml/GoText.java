// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.kms.rpc.GoQuote;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/** Spells values as Go does, because kube-apiserver's messages are compared to the byte. */
public final class GoText {
  private GoText() {}

  /** A Go string literal. */
  public static String quote(String text) {
    return GoQuote.quote(text.getBytes(UTF_8));
  }

  /** A JSON list of strings, escaped for HTML as Go's encoder does. */
  public static String jsonList(List<String> texts) {
    return texts.stream().map(GoText::json).collect(Collectors.joining(",", "[", "]"));
  }

  private static String json(String text) {
    var out = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                  if (c < ' ' || c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029) {
                    out.append("\\u%04x".formatted(c));
                  } else {
                    out.appendCodePoint(c);
                  }
                }
              }
            });
    return out.append('"').toString();
  }

  /** The JSON spelling of a finite number: plain digits, an exponent only for extreme sizes. */
  static String json(double number) {
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    var exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    double size = Math.abs(number);
    if (size >= 1e-6 && size < 1e21) {
      return exact.toPlainString();
    }
    int exponent = exact.precision() - exact.scale() - 1;
    return exact.movePointLeft(exponent).stripTrailingZeros().toPlainString()
        + (exponent < 0 ? "e-" : "e+")
        + Math.abs(exponent);
  }
}
