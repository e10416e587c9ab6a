// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

/**
 * The file cannot be used. The text is safe to show; there is never a cause, because the messages
 * of parsers quote the file, and the file holds keys.
 */
public final class InvalidConfigurationException extends Exception {
  private final String text;

  public InvalidConfigurationException(String text) {
    super(text, null, false, false);
    this.text = text;
  }

  public String text() {
    return text;
  }
}
