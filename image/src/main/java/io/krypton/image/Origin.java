package io.krypton.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;

/** Where some files of an image come from. */
interface Origin {
  /**
   * Claims the files that come from here, adds their licence texts to the root, and returns the
   * components they belong to.
   */
  List<ObjectNode> components(ImageRoot root) throws IOException;
}
