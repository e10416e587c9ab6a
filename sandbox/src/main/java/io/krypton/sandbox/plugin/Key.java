package io.krypton.sandbox.plugin;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;

/**
 * One key encryption key.
 *
 * @param id {@code k<n>-<8 hex digits>}; never used again for another key
 */
@SuppressWarnings("ArrayRecordComponent") // compared by id only, and never changed
record Key(String id, Instant created, byte[] material) {
  static final int BYTES = 32;
  private static final int ID_BYTES = 4;

  static Key fresh(int number, Instant created) {
    var random = new SecureRandom();
    var suffix = new byte[ID_BYTES];
    random.nextBytes(suffix);
    var material = new byte[BYTES];
    random.nextBytes(material);
    return new Key("k%d-%s".formatted(number, HexFormat.of().formatHex(suffix)), created, material);
  }

  int number() {
    return Integer.parseInt(id.substring(1, id.indexOf('-')));
  }

  @Override
  public String toString() {
    return "Key[" + id + "]";
  }
}
