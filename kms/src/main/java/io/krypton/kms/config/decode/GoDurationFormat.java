package io.krypton.kms.config.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.kms.config.yaml.InvalidConfigurationException;
import io.krypton.kms.config.yaml.KeyRedactor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;

/** Reads and writes durations as Go does: {@code 300ms}, {@code 1.5h}, {@code 1m30s}. */
public final class GoDurationFormat {
  private static final Map<String, Long> NANOS_OF =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "\u00b5s", 1_000L,
          "\u03bcs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger BEYOND_MAX = MAX.add(BigInteger.ONE);

  /** No unit makes a digit behind these count, and nobody has to multiply a megabyte of them. */
  private static final int FRACTION_DIGITS = 18;

  private final String given;
  private int at;

  private GoDurationFormat(String given) {
    this.given = given;
  }

  static Duration parse(String text) throws InvalidConfigurationException {
    return new GoDurationFormat(text).parse();
  }

  private Duration parse() throws InvalidConfigurationException {
    boolean negative = given.startsWith("-");
    if (negative || given.startsWith("+")) {
      at++;
    }
    if (given.substring(at).equals("0")) {
      return Duration.ZERO;
    }
    if (at == given.length()) {
      throw failure("invalid duration");
    }
    var nanos = BigInteger.ZERO;
    while (at < given.length()) {
      nanos = nanos.add(part());
      // The most negative duration has no positive twin.
      if (nanos.compareTo(negative ? BEYOND_MAX : MAX) > 0) {
        throw failure("invalid duration");
      }
    }
    return Duration.ofNanos((negative ? nanos.negate() : nanos).longValueExact());
  }

  private BigInteger part() throws InvalidConfigurationException {
    var whole = digits();
    var fraction = "";
    if (at < given.length() && given.charAt(at) == '.') {
      at++;
      fraction = digits();
    }
    if (whole.isEmpty() && fraction.isEmpty()) {
      throw failure("invalid duration");
    }
    var number = number(whole, fraction);
    var unit = unit();
    if (unit.isEmpty()) {
      throw failure("missing unit in duration");
    }
    var size = NANOS_OF.get(unit);
    if (size == null) {
      throw failure("unknown unit " + quote(unit) + " in duration");
    }
    return number.multiply(BigDecimal.valueOf(size)).toBigInteger();
  }

  private BigDecimal number(String whole, String fraction) throws InvalidConfigurationException {
    var significant = whole.replaceFirst("^0+", "");
    if (significant.length() > 19 || new BigInteger("0" + significant).compareTo(BEYOND_MAX) > 0) {
      throw failure("invalid duration");
    }
    int kept = Math.min(fraction.length(), FRACTION_DIGITS);
    return new BigDecimal("0" + significant + "." + fraction.substring(0, kept) + "0");
  }

  private String digits() {
    int start = at;
    while (at < given.length() && isDigit(given.charAt(at))) {
      at++;
    }
    return given.substring(start, at);
  }

  private String unit() {
    int start = at;
    while (at < given.length() && given.charAt(at) != '.' && !isDigit(given.charAt(at))) {
      at++;
    }
    return given.substring(start, at);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private InvalidConfigurationException failure(String what) {
    return new InvalidConfigurationException("time: " + what + " " + quote(given));
  }

  /** Go's package time has quotes of its own: everything that is not ASCII appears as bytes. */
  private static String quote(String text) {
    var out = new StringBuilder("\"");
    for (byte b : KeyRedactor.redact(text).getBytes(UTF_8)) {
      if (b < ' ') {
        out.append("\\x%02x".formatted(b & 0xff));
      } else {
        out.append(b == '"' || b == '\\' ? "\\" : "").append((char) b);
      }
    }
    return out.append('"').toString();
  }

  public static String format(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    var sign = duration.isNegative() ? "-" : "";
    var size = BigInteger.valueOf(duration.toNanos()).abs();
    if (size.bitLength() < 31 && size.intValueExact() < 1_000_000_000) {
      return sign + belowOneSecond(size.intValueExact());
    }
    var seconds = size.divide(BigInteger.valueOf(1_000_000_000)).longValueExact();
    var hours = seconds / 3600 > 0 ? seconds / 3600 + "h" : "";
    var minutes = seconds / 60 > 0 ? seconds / 60 % 60 + "m" : "";
    var rest = new BigDecimal(size.mod(BigInteger.valueOf(60_000_000_000L)), 9);
    return sign + hours + minutes + trimmed(rest) + "s";
  }

  private static String belowOneSecond(int nanos) {
    if (nanos < 1_000) {
      return nanos + "ns";
    }
    return nanos < 1_000_000
        ? trimmed(BigDecimal.valueOf(nanos, 3)) + "\u00b5s"
        : trimmed(BigDecimal.valueOf(nanos, 6)) + "ms";
  }

  private static String trimmed(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }
}
