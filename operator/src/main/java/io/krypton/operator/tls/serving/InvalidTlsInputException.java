// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import io.krypton.base.crypto.PemException;

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

  /** A file of PEM that cannot be used. */
  static InvalidTlsInputException of(String file, PemException unusable) {
    return new InvalidTlsInputException(
        unusable.problem() == PemException.Problem.OTHER_ALGORITHM ? "key-mismatch" : "malformed",
        unusable.messageFor(file));
  }

  String reason() {
    return reason;
  }
}
