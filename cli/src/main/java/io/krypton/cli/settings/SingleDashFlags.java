package io.krypton.cli.settings;

import java.util.Arrays;
import java.util.Set;

/** Lets manifests written for programs with one-dash flags ({@code -chart-repo=x}) start ours. */
public final class SingleDashFlags {
  private SingleDashFlags() {}

  /**
   * Doubles the dash of every argument that is a known long name behind one dash. Anything else is
   * left alone: the value of a flag may begin with a dash too.
   *
   * @param flags with both dashes
   */
  public static String[] normalize(Set<String> flags, String... arguments) {
    return Arrays.stream(arguments)
        .map(argument -> flags.contains("-" + nameOf(argument)) ? "-" + argument : argument)
        .toArray(String[]::new);
  }

  private static String nameOf(String argument) {
    return argument.split("=", 2)[0];
  }
}
