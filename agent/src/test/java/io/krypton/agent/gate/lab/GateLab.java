// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.lab;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.config.GateSettingsParser;
import io.krypton.agent.gate.config.GateSettingsParser.Parsed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Settings as flags make them. */
public final class GateLab {
  private GateLab() {}

  /** Settings with a pace for tests; each flag is {@code name=value} and replaces a default. */
  public static GateSettings settings(GateMode mode, Path configuration, String... flags) {
    var all = new ArrayList<>(List.of("interval=1s", "unhealthy-interval=500ms"));
    all.add("config-poll=100ms");
    all.addAll(List.of(flags));
    return byDefault(mode, configuration, all.toArray(String[]::new));
  }

  /** Settings with the pace that users get. */
  public static GateSettings byDefault(GateMode mode, Path configuration, String... flags) {
    var given = new HashMap<String, String>();
    given.put("encryption-provider-config", configuration.toString());
    given.put("termination-log", configuration.resolveSibling("termination.json").toString());
    given.put("listen", "127.0.0.1:0");
    for (var flag : flags) {
      var equals = flag.indexOf('=');
      given.put(flag.substring(0, equals), flag.substring(equals + 1));
    }
    return switch (GateSettingsParser.parse(mode, given, Map.of())) {
      case Parsed.Valid(var settings) -> settings;
      case Parsed.Invalid invalid -> throw new AssertionError(invalid.errors());
    };
  }
}
