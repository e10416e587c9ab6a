// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** All keys of a plugin, oldest first; the current one encrypts, each of them decrypts. */
record KeyRing(Key current, List<Key> keys) {
  KeyRing {
    keys = List.copyOf(keys);
    if (!keys.contains(current)) {
      throw new IllegalArgumentException("the current key is not among the keys");
    }
  }

  static KeyRing fresh(int number, Instant now) {
    var key = Key.fresh(number, now);
    return new KeyRing(key, List.of(key));
  }

  Optional<Key> find(String id) {
    return keys.stream().filter(key -> key.id().equals(id)).findFirst();
  }

  /** A new key that is current from now on; numbers only grow. */
  KeyRing rotated(Instant now) {
    var next = Key.fresh(highestNumber() + 1, now);
    var all = new ArrayList<>(keys);
    all.add(next);
    return new KeyRing(next, all);
  }

  private int highestNumber() {
    return keys.stream().mapToInt(Key::number).max().orElse(0);
  }

  KeyRing without(String id) {
    return new KeyRing(current, keys.stream().filter(key -> !key.id().equals(id)).toList());
  }

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
      return new Key(
          "k%d-%s".formatted(number, HexFormat.of().formatHex(suffix)), created, material);
    }

    int number() {
      return Integer.parseInt(id.substring(1, id.indexOf('-')));
    }

    @Override
    public String toString() {
      return "Key[" + id + "]";
    }
  }
}
