// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.settings;

import java.util.List;

/** Settings that cannot be used; each error is a sentence for users. */
public final class SettingsException extends Exception {
  private final List<String> errors;

  public SettingsException(List<String> errors) {
    super(String.join("; ", errors));
    this.errors = List.copyOf(errors);
  }

  public List<String> errors() {
    return errors;
  }
}
