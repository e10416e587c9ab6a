package io.krypton.agent.publish;

/** The name under which a node's reporter owns its fields. */
public final class FieldManager {
  /** The API server's limit. */
  static final int MAX_LENGTH = 128;

  private static final String PREFIX = "kms-health-reporter-";

  private FieldManager() {}

  public static String of(String nodeName) {
    var plain = PREFIX + nodeName;
    return plain.length() <= MAX_LENGTH ? plain : PREFIX + Sha256.hex(nodeName);
  }
}
