package io.krypton.agent.gate.serve;

import java.util.Locale;

/** The three pages of checks. */
enum HealthEndpoint {
  LIVEZ,
  HEALTHZ,
  READYZ;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String path() {
    return "/" + word();
  }

  boolean isAboutPlugins() {
    return this != LIVEZ;
  }
}
