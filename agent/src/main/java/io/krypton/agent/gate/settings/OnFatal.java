package io.krypton.agent.gate.settings;

import java.util.Locale;

/** What a confirmed FATAL does. */
public enum OnFatal {
  /** End with exit code 4. */
  EXIT,
  /** Go on probing. */
  HOLD,
  /** Treat the provider as not required. */
  PASS;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
