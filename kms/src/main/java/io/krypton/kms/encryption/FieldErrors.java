package io.krypton.kms.encryption;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/** Collects what is wrong with fields, worded and joined as kube-apiserver does. */
final class FieldErrors {
  private final SequencedSet<String> texts = new LinkedHashSet<>();

  void required(String path, String message) {
    texts.add(path + ": Required value: " + message);
  }

  /** For a text from the file, which is quoted. */
  void invalid(String path, String value, String message) {
    invalidAs(path, GoText.quote(Shown.text(value)), message);
  }

  /** For a value that is already spelled as it shall appear. */
  void invalidAs(String path, String shown, String message) {
    texts.add(path + ": Invalid value: " + shown + ": " + message);
  }

  /** Empty without errors; one error stands alone, several are listed, equal ones once. */
  Optional<String> joined() {
    return switch (texts.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(texts.getFirst());
      default -> Optional.of("[" + String.join(", ", texts) + "]");
    };
  }

  /** All texts of a list, with what may be a key left out. */
  static String shown(List<String> values) {
    var shown = new ArrayList<String>();
    values.forEach(value -> shown.add(Shown.text(value)));
    return GoText.jsonList(shown);
  }
}
