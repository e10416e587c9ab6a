package io.krypton.image;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Texts of licences for libraries that name one and bring no text. */
final class StandardTexts {
  private final Map<String, byte[]> used = new TreeMap<>();

  /**
   * Remembers the texts for a library that may be used under any of these licences: a text of its
   * own, with the names of its authors, or else those of the licences.
   */
  void use(String path, String library, List<String> licences) throws IOException {
    if (!remember(library)) {
      var known = 0;
      for (var licence : licences) {
        known += remember(licence) ? 1 : 0;
      }
      if (known == 0) {
        throw new UncoveredFile(
            path, "it brings no licence text, and there is none for " + licences + " in licences/");
      }
    }
  }

  private boolean remember(String name) throws IOException {
    try (var text = StandardTexts.class.getResourceAsStream("licences/" + name + ".txt")) {
      if (text != null) {
        used.put(name, text.readAllBytes());
      }
      return text != null;
    }
  }

  /** Puts the texts that are used into the image. */
  List<ImageRoot.Entry> write(ImageRoot root) throws IOException {
    var written = new ArrayList<ImageRoot.Entry>();
    for (var text : used.entrySet()) {
      written.add(root.write("/licenses/texts/" + text.getKey() + ".txt", text.getValue()));
    }
    return written;
  }
}
