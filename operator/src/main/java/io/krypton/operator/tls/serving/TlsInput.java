package io.krypton.operator.tls.serving;

/** The two things that make up the TLS of a server. */
public enum TlsInput {
  CERTIFICATE("certificate"),
  PROFILE("profile");

  private final String word;

  TlsInput(String word) {
    this.word = word;
  }

  /** As metrics spell it. */
  public String word() {
    return word;
  }
}
