package io.krypton.sandbox.plugin;

import java.time.Instant;
import java.util.ArrayList;
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
}
