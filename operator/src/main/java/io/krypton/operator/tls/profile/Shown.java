package io.krypton.operator.tls.profile;

import java.util.List;
import java.util.stream.Collectors;

/** Texts of others in our messages: short and on one line. */
public final class Shown {
  private static final int LONGEST = 64;
  private static final int MOST_NAMES = 20;

  private Shown() {}

  public static String shortly(String text) {
    var line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
  }

  /** At most 20 names, then how many more there are. */
  public static String names(List<String> names) {
    var shown =
        names.stream().limit(MOST_NAMES).map(Shown::shortly).collect(Collectors.joining(", "));
    var more = names.size() - MOST_NAMES;
    return more > 0 ? "%s and %d more".formatted(shown, more) : shown;
  }
}
