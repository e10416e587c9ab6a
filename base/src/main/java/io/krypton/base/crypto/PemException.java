// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.crypto;

import java.security.GeneralSecurityException;

/**
 * A PEM text that cannot be used. The message continues a sentence that begins with the name of the
 * file or field ("client-key holds no PEM private key") and never quotes the text.
 */
public final class PemException extends GeneralSecurityException {
  private final Problem problem;

  /** What is wrong, for callers that decide by it. */
  public enum Problem {
    NOT_BASE64("holds a PEM block that is not base64"),
    NO_CERTIFICATE("holds no PEM certificate"),
    UNREADABLE_CERTIFICATE("holds a certificate that cannot be read"),
    NO_PRIVATE_KEY("holds no PEM private key"),
    ENCRYPTED_PRIVATE_KEY("is encrypted; use a key without a passphrase"),
    UNREADABLE_PRIVATE_KEY("holds a private key that cannot be read"),
    /** It is a key, but not of the kind of its certificate. */
    OTHER_ALGORITHM("");

    private final String text;

    Problem(String text) {
      this.text = text;
    }
  }

  PemException(Problem problem) {
    this(problem, problem.text);
  }

  PemException(Problem problem, String message) {
    super(message);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }

  /** The whole sentence. */
  public String messageFor(String source) {
    return source + " " + getMessage();
  }
}
