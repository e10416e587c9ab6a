// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.settings;

import io.krypton.agent.settings.YamlFormat;
import io.krypton.base.settings.Setting;
import io.krypton.base.settings.SettingSources;
import io.krypton.base.settings.SettingValue;
import io.krypton.base.settings.SettingValue.Layer;
import io.krypton.base.settings.SettingsException;
import io.krypton.base.settings.SettingsFile;
import io.krypton.base.text.GoBool;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Gives a flag that is not on the command line its value from the environment, then from the
 * settings file.
 *
 * <p>A flag with several names listens to the variable and the key of each, in the order in which
 * they are declared. A variable may have been set for another version of the program, so a value
 * that does not convert is logged once and skipped. An empty variable counts as unset.
 */
public final class FlagDefaults implements IDefaultValueProvider {
  private static final String CONFIG_FLAG = "--config";
  private static final String CONFIG_VARIABLE = "KRYPTON_CONFIG";

  private final SettingSources sources;
  private final Map<String, List<String>> olderVariables;
  private final Consumer<String> warnings;

  /**
   * @param prefix of the variables, for example {@code KRYPTON_}
   * @param olderVariables further variable names by flag name (without dashes), first wins
   */
  public FlagDefaults(
      String prefix,
      Map<String, String> environment,
      Map<String, List<String>> olderVariables,
      SettingsFile file,
      Consumer<String> warnings) {
    this.sources = new SettingSources(prefix, Map.of(), environment, file);
    this.olderVariables = Map.copyOf(olderVariables);
    this.warnings = warnings;
  }

  /**
   * The file that the arguments or the environment name; it is read before the arguments are
   * parsed, because it fills in for flags.
   *
   * @param commands whose flags may be keys of the file; asked only if there is a file
   */
  public static SettingsFile file(
      String[] arguments, Map<String, String> environment, Supplier<List<CommandSpec>> commands)
      throws SettingsException {
    var named = SettingsFile.named(CONFIG_FLAG, CONFIG_VARIABLE, List.of(arguments), environment);
    if (named.isEmpty()) {
      return SettingsFile.NONE;
    }
    var file = SettingsFile.read(CONFIG_FLAG, named.get(), new YamlFormat());
    var unknown =
        file.unknownKeys(
            commands.get().stream()
                .flatMap(command -> command.options().stream())
                .filter(FlagDefaults::isSetting)
                .map(option -> setting(option, Map.of()))
                .toList());
    if (!unknown.isEmpty()) {
      throw new SettingsException(unknown);
    }
    return file;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || !isSetting(option)) {
      return null;
    }
    var setting = setting(option, olderVariables);
    var found =
        sources.given(setting, text -> convertible(option, text) != null, this::warnOfSkipped);
    if (found.isEmpty()) {
      return null;
    }
    var text = found.get().text();
    return found.get().layer() == Layer.VARIABLE ? convertible(option, text) : text;
  }

  private void warnOfSkipped(SettingValue value) {
    warnings.accept(
        "%s=%s is not a valid value for %s and is ignored"
            .formatted(value.source(), value.shown(), value.setting().flag()));
  }

  private static boolean isSetting(OptionSpec option) {
    return !option.usageHelp() && !option.versionHelp() && !flagNames(option).isEmpty();
  }

  /** All long names, without dashes; older ones come last. */
  private static List<String> flagNames(OptionSpec option) {
    return Stream.of(option.names())
        .filter(name -> name.startsWith("--"))
        .map(name -> name.substring(2))
        .toList();
  }

  private static Setting setting(OptionSpec option, Map<String, List<String>> olderVariables) {
    var names = flagNames(option);
    return Setting.named(names.getFirst())
        .withAliases(names.stream().skip(1).toArray(String[]::new))
        .orVariables(
            olderVariables.getOrDefault(names.getFirst(), List.of()).toArray(String[]::new));
  }

  private static @Nullable String convertible(OptionSpec option, String value) {
    if (isBoolean(option)) {
      return GoBool.parseLenient(value).map(String::valueOf).orElse(null);
    }
    try {
      for (var converter : option.converters()) {
        converter.convert(value);
      }
      return enumAllows(option, value) ? value : null;
    } catch (
        Exception notThisType) { // a converter may throw anything; all of it means "not this type"
      return null;
    }
  }

  private static boolean enumAllows(OptionSpec option, String value) {
    var constants = option.type().getEnumConstants();
    if (constants == null) {
      return option.type() != int.class || value.matches("-?\\d{1,9}");
    }
    for (var constant : constants) {
      if (constant.toString().equalsIgnoreCase(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBoolean(OptionSpec option) {
    return option.type() == boolean.class || option.type() == Boolean.class;
  }
}
