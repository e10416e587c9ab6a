package io.krypton.agent.gate.settings;

import java.util.Locale;

/** The commands that probe; some defaults differ between them. */
public enum GateMode {
  WAIT,
  CHECK,
  SERVE;

  /** As a user types it. */
  public String command() {
    return "gate " + name().toLowerCase(Locale.ROOT);
  }
}
