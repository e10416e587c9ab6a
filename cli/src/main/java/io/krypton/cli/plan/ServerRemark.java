package io.krypton.cli.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the server has to say about one object of a release, by a look at the live one and dry runs.
 *
 * @param text one line
 * @param lines a diff from the live object to what the release says; may be empty
 */
record ServerRemark(String object, Kind kind, String text, List<String> lines) {
  ServerRemark {
    lines = List.copyOf(lines);
  }

  /** In the order in which a plan tells them. */
  enum Kind {
    REFUSED("would be refused"),
    DIFFERS("lives differently"),
    GONE("is gone");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("object", object);
    document.put("remark", kind.words());
    if (!text.isEmpty()) {
      document.put("message", text);
    }
    if (!lines.isEmpty()) {
      document.put("diff", String.join("\n", lines));
    }
    return document;
  }
}
