// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import java.util.stream.Stream;

/** Entry point of {@code /krypton-operator}, the name that older manifests start. */
public final class OperatorMain {
  private OperatorMain() {}

  public static void main(String... arguments) {
    Main.main(Stream.concat(Stream.of("operator"), Stream.of(arguments)).toArray(String[]::new));
  }
}
