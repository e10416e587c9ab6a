// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.settings;

import io.krypton.base.settings.SettingValue.Layer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Looks a setting up: on the command line, then in the environment, then in the file, then its
 * default. An empty environment variable counts as not set, because a manifest often cannot leave
 * one out; an empty flag is a value.
 *
 * @param prefix of the regular variables, for example {@code KRYPTON_}
 * @param flags as given, by name without dashes
 */
public record SettingSources(
    String prefix, Map<String, String> flags, Map<String, String> environment, SettingsFile file) {

  public SettingSources {
    flags = Map.copyOf(flags);
    environment = Map.copyOf(environment);
  }

  /** The value of the highest layer that has one. */
  public SettingValue find(Setting setting) {
    return find(setting, _ -> true, _ -> {});
  }

  /**
   * The value of the highest layer that has one. A variable may have been set for another version
   * of the program: if its value is of no use, the next source is asked.
   *
   * @param skipped is told of each such variable
   */
  public SettingValue find(
      Setting setting, Predicate<String> usable, Consumer<SettingValue> skipped) {
    return given(setting, usable, skipped)
        .orElseGet(() -> new SettingValue(setting, setting.defaultValue(), Layer.DEFAULT, ""));
  }

  /** Like {@link #find(Setting, Predicate, Consumer)}; empty if only the default is left. */
  public Optional<SettingValue> given(
      Setting setting, Predicate<String> usable, Consumer<SettingValue> skipped) {
    return inLayer(setting, flags, Layer.FLAG)
        .or(() -> inEnvironment(setting, usable, skipped))
        .or(() -> inLayer(setting, file.values(), Layer.FILE));
  }

  private Optional<SettingValue> inLayer(Setting setting, Map<String, String> values, Layer layer) {
    return setting.names().stream()
        .filter(values::containsKey)
        .findFirst()
        .map(
            name ->
                new SettingValue(
                    setting,
                    values.getOrDefault(name, ""),
                    layer,
                    layer == Layer.FLAG ? "--" + name : file.source()));
  }

  private Optional<SettingValue> inEnvironment(
      Setting setting, Predicate<String> usable, Consumer<SettingValue> skipped) {
    for (var variable : variablesOf(setting)) {
      var text = environment.getOrDefault(variable, "");
      if (!text.isEmpty()) {
        var value = new SettingValue(setting, text, Layer.VARIABLE, variable);
        if (usable.test(text)) {
          return Optional.of(value);
        }
        skipped.accept(value);
      }
    }
    return Optional.empty();
  }

  /** The variables that a setting listens to, the one that wins first. */
  public List<String> variablesOf(Setting setting) {
    var variables = new ArrayList<String>();
    for (var name : setting.names()) {
      variables.add(prefix + name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
    variables.addAll(setting.variables());
    return List.copyOf(variables);
  }
}
