package io.krypton.kms.encryption;

/**
 * The file cannot be used. The text is safe to show; there is never a cause, because the messages
 * of parsers quote the file, and the file holds keys.
 */
final class Rejected extends Exception {
  private final String text;

  Rejected(String text) {
    super(text, null, false, false);
    this.text = text;
  }

  String text() {
    return text;
  }
}
