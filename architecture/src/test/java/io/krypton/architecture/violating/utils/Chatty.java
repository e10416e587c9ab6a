// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture.violating.utils;

/** Prints, exits and counts in a static field. */
public final class Chatty {
  static int calls;

  private Chatty() {}

  static void speak() {
    calls++;
    System.out.println("hello");
  }

  static void leave() {
    System.exit(1);
  }
}
