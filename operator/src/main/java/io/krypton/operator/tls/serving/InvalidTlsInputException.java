package io.krypton.operator.tls.serving;

/** A certificate, key or profile that cannot be used; the message never quotes it. */
final class InvalidTlsInputException extends Exception {
  private final String reason;

  /**
   * @param reason one word for programs, such as {@code expired}
   */
  InvalidTlsInputException(String reason, String message) {
    super(message);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
