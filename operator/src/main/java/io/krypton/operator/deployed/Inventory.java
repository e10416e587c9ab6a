package io.krypton.operator.deployed;

import java.util.List;

/** The objects of one revision of a release. */
record Inventory(int revision, List<ObjectRef> objects) {
  Inventory {
    objects = List.copyOf(objects);
  }
}
