package io.krypton.agent.settings;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Looks a setting up by its flag name: on the command line, then in the environment, then in the
 * file. An empty environment variable counts as not set, because a manifest often cannot leave one
 * out; an empty flag is a value.
 */
public record SettingLayers(
    Map<String, String> flags, Map<String, String> environment, Map<String, String> file) {
  public static final String ENVIRONMENT_PREFIX = "KRYPTON_";

  public SettingLayers {
    flags = Map.copyOf(flags);
    environment = Map.copyOf(environment);
    file = Map.copyOf(file);
  }

  /**
   * The value of the highest layer that has one.
   *
   * @param flag without the dashes
   * @param otherVariables more names in the environment, after the regular one
   */
  public Optional<String> find(String flag, String... otherVariables) {
    return Optional.ofNullable(flags.get(flag))
        .or(() -> variable(ENVIRONMENT_PREFIX + upperSnake(flag)))
        .or(() -> firstOf(otherVariables))
        .or(() -> Optional.ofNullable(file.get(flag)));
  }

  private Optional<String> firstOf(String... variables) {
    for (var name : variables) {
      var value = variable(name);
      if (value.isPresent()) {
        return value;
      }
    }
    return Optional.empty();
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
  }

  private static String upperSnake(String flag) {
    return flag.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
