package io.krypton.cli.settings;

import java.util.Arrays;

/** Lets manifests written for programs with one-dash flags ({@code -chart-repo=x}) start ours. */
public final class SingleDash {
  private SingleDash() {}

  /**
   * Doubles the dash of every argument that is a long name behind one dash; values are left alone.
   */
  public static String[] doubled(String... arguments) {
    return Arrays.stream(arguments)
        .map(argument -> argument.matches("-[a-z][a-z-]+(=.*)?") ? "-" + argument : argument)
        .toArray(String[]::new);
  }
}
