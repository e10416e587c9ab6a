// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gives YAML scalars their type by the rules of YAML 1.1 in the dialect of kube-apiserver: a null,
 * {@link Boolean}, {@link Long}, {@link BigInteger} (above the range of long), {@link Double} or
 * {@link String}.
 */
final class YamlScalarResolver {
  private static final String PREFIX = "tag:yaml.org,2002:";
  private static final String STRING = PREFIX + "str";
  private static final String BINARY = PREFIX + "binary";
  private static final String FLOAT = PREFIX + "float";
  private static final String TIMESTAMP = PREFIX + "timestamp";
  private static final Set<String> TYPED =
      Set.of(PREFIX + "bool", PREFIX + "int", FLOAT, PREFIX + "null", TIMESTAMP);

  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE =
      Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
  private static final Map<String, Double> EXTREMES =
      Map.ofEntries(
          Map.entry(".nan", Double.NaN),
          Map.entry(".NaN", Double.NaN),
          Map.entry(".NAN", Double.NaN),
          Map.entry(".inf", Double.POSITIVE_INFINITY),
          Map.entry(".Inf", Double.POSITIVE_INFINITY),
          Map.entry(".INF", Double.POSITIVE_INFINITY),
          Map.entry("+.inf", Double.POSITIVE_INFINITY),
          Map.entry("+.Inf", Double.POSITIVE_INFINITY),
          Map.entry("+.INF", Double.POSITIVE_INFINITY),
          Map.entry("-.inf", Double.NEGATIVE_INFINITY),
          Map.entry("-.Inf", Double.NEGATIVE_INFINITY),
          Map.entry("-.INF", Double.NEGATIVE_INFINITY));

  private static final Pattern FLOAT_OF_DIGITS =
      Pattern.compile("[-+]?(\\.[0-9]++|[0-9]++(\\.[0-9]*+)?)([eE][-+]?[0-9]++)?");
  private static final Pattern FLOAT_OF_POINT =
      Pattern.compile("\\.[0-9]++(_[0-9]++)*+([eE][-+]?[0-9]++(_[0-9]++)*+)?");
  private static final BigInteger MAX_UNSIGNED =
      BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
  private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);

  private YamlScalarResolver() {}

  static @Nullable Object resolve(YamlNode.Scalar scalar) throws InvalidConfigurationException {
    var tag = scalar.tag();
    if (tag.isEmpty()) {
      return scalar.plain() ? resolveUntagged(scalar.content()) : scalar.content();
    }
    if (tag.equals(BINARY)) {
      return binary(scalar);
    }
    if (!TYPED.contains(tag)) {
      return scalar.content();
    }
    var value = resolveUntagged(scalar.content());
    if (tag.equals(FLOAT) && value instanceof Long number) {
      return number.doubleValue();
    }
    if (!tag.equals(tagOf(value))) {
      throw new InvalidConfigurationException(
          "yaml: line %d: the value does not fit its tag !!%s"
              .formatted(scalar.line(), tag.substring(PREFIX.length())));
    }
    return value;
  }

  private static String tagOf(@Nullable Object value) {
    return switch (value) {
      case null -> PREFIX + "null";
      case Boolean b -> PREFIX + "bool";
      case Long n -> PREFIX + "int";
      case BigInteger n -> PREFIX + "int";
      case Double n -> FLOAT;
      default -> STRING;
    };
  }

  private static String binary(YamlNode.Scalar scalar) throws InvalidConfigurationException {
    if (Base64Length.of(scalar.content()).isEmpty()) {
      throw new InvalidConfigurationException(
          "yaml: line %d: !!binary without base64".formatted(scalar.line()));
    }
    var bytes = Base64.getMimeDecoder().decode(scalar.content());
    return new String(bytes, UTF_8);
  }

  /** The type that the characters of an untagged, unquoted scalar suggest. */
  private static @Nullable Object resolveUntagged(String text) {
    if (NULLS.contains(text)) {
      return null;
    }
    if (TRUE.contains(text)) {
      return true;
    }
    if (FALSE.contains(text)) {
      return false;
    }
    var extreme = EXTREMES.get(text);
    if (extreme != null) {
      return extreme;
    }
    char first = text.charAt(0);
    if (first == '.') {
      return FLOAT_OF_POINT.matcher(text).matches() ? finite(text.replace("_", ""), text) : text;
    }
    return first == '+' || first == '-' || isDigit(first) ? number(text) : text;
  }

  private static Object number(String text) {
    var digits = text.replace("_", "");
    var whole = whole(digits);
    if (whole != null) {
      return whole;
    }
    return FLOAT_OF_DIGITS.matcher(digits).matches() ? finite(digits, text) : text;
  }

  /** A number that no double can hold stays a text. */
  private static Object finite(String digits, String text) {
    double number = Double.parseDouble(digits);
    return Double.isInfinite(number) ? text : (Object) number;
  }

  private static @Nullable Object whole(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    var unsigned = signed ? text.substring(1) : text;
    int radix = radixOf(unsigned);
    var digits = unsigned.substring(radix == 10 || unsigned.equals("0") ? 0 : prefixOf(unsigned));
    if (digits.isEmpty() || digits.length() > 70 || !allDigits(digits, radix)) {
      return null;
    }
    var number = new BigInteger(digits, radix);
    if (text.startsWith("-")) {
      number = number.negate();
    }
    if (number.compareTo(MIN_LONG) >= 0 && number.compareTo(MAX_LONG) <= 0) {
      return number.longValueExact();
    }
    return !signed && number.compareTo(MAX_UNSIGNED) <= 0 ? number : null;
  }

  private static int radixOf(String digits) {
    if (!digits.startsWith("0")) {
      return 10;
    }
    return switch (digits.length() < 3 ? '0' : Character.toLowerCase(digits.charAt(1))) {
      case 'x' -> 16;
      case 'b' -> 2;
      default -> 8;
    };
  }

  private static int prefixOf(String digits) {
    return digits.length() >= 3 && "xXoObB".indexOf(digits.charAt(1)) >= 0 ? 2 : 1;
  }

  private static boolean allDigits(String text, int radix) {
    return text.chars().allMatch(c -> c < 0x80 && Character.digit(c, radix) >= 0);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
