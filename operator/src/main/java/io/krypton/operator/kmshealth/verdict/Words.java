package io.krypton.operator.kmshealth.verdict;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes words of reporters fit for one line of a message: they come from outside. */
final class Words {
  private static final Pattern CAUSE = Pattern.compile("[A-Za-z0-9_:.-]{1,64}");
  private static final int LONGEST_DETAIL = 120;
  private static final String CUT = "...";

  private Words() {}

  static @Nullable String cause(@Nullable String cause) {
    return cause != null && CAUSE.matcher(cause).matches() ? cause : null;
  }

  static @Nullable String detail(@Nullable String detail) {
    if (detail == null) {
      return null;
    }
    var clean = new StringBuilder();
    detail
        .codePoints()
        .map(point -> isPrintable(point) ? point : ' ')
        .limit(4L * LONGEST_DETAIL)
        .forEach(clean::appendCodePoint);
    var text = clean.toString().strip().replaceAll(" {2,}", " ");
    if (text.codePointCount(0, text.length()) > LONGEST_DETAIL) {
      text = text.substring(0, text.offsetByCodePoints(0, LONGEST_DETAIL - CUT.length())) + CUT;
    }
    return text.isEmpty() ? null : text;
  }

  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
