// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

/** Where we differ from kube-apiserver on purpose, and what must be equal all the same. */
enum Difference {
  /** It prints the whole file, keys included. */
  WHOLE_FILE_PRINTED {
    @Override
    String comparable(String text) {
      return text.replaceFirst("(?s) is missing in '.*", "");
    }
  },
  /** It prints a provider with its keys. */
  KEYS_PRINTED {
    @Override
    String comparable(String text) {
      return text.replaceAll("Invalid value: (\\{.*\\}|\"REDACTED\"): more", "more");
    }
  },
  /** It repeats a text from the file that looks like a key in the wrong place. */
  MISPLACED_KEY_PRINTED {
    @Override
    String comparable(String text) {
      return text.replaceAll("[A-Za-z0-9+/]{22,}={0,2}|REDACTED", "#");
    }
  },
  /** It names a line of its own source code. */
  SOURCE_POSITION {
    @Override
    String comparable(String text) {
      return text.replaceFirst(" in scheme \".*\"", "");
    }
  },
  /** Its parser says what it was about to do; we name the line. */
  SYNTAX {
    @Override
    String comparable(String text) {
      return text.replaceFirst("(?s)(error decoding .* file \"[^\"]*\": ).*", "$1");
    }
  },
  /** It accepts the file, although nobody can have meant it. */
  STRICTER {
    @Override
    String comparable(String text) {
      return "";
    }
  };

  /** What of a text counts; both are equal in that. */
  abstract String comparable(String text);
}
