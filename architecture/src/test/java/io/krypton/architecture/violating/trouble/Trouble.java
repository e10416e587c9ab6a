// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture.violating.trouble;

/** An exception without the word, and a logger with a name of its own. */
public final class Trouble extends Exception {
  private static final long serialVersionUID = 1L;
  private static final System.Logger LOG = System.getLogger("trouble");

  void tell() {
    LOG.log(System.Logger.Level.INFO, "told");
  }
}
