package io.krypton.kms.verdict;

/** The part of a probe in which something was found. */
public enum Phase {
  ADDRESS("address"),
  CONNECT("connect"),
  STATUS("status"),
  VERSION("version"),
  KEY_ID("keyid"),
  ENCRYPT("encrypt"),
  DECRYPT("decrypt"),
  KEY_ID_MISMATCH("keyid-mismatch"),
  CANARY("canary"),
  GRPC_HEALTH("grpc-health"),
  HTTP("http");

  private final String word;

  Phase(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
