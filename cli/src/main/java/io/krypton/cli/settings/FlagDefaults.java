package io.krypton.cli.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Gives a flag that is not on the command line its value from the environment, then from the
 * settings file.
 *
 * <p>A flag with several names listens to the variable and the key of each, in the order in which
 * they are declared. A variable may have been set for another version of the program, so a value
 * that does not convert is told once and skipped; the next source is asked. An empty variable
 * counts as unset.
 */
public final class FlagDefaults implements IDefaultValueProvider {
  private final String prefix;
  private final Map<String, String> environment;
  private final Map<String, List<String>> deprecatedVariables;
  private final Map<String, String> file;
  private final Consumer<String> warnings;

  /**
   * @param prefix of the variables, for example {@code KRYPTON_}
   * @param olderVariables further variable names by flag name (without dashes), first wins
   * @param file settings file content by flag name (without dashes)
   */
  public FlagDefaults(
      String prefix,
      Map<String, String> environment,
      Map<String, List<String>> olderVariables,
      Map<String, String> file,
      Consumer<String> warnings) {
    this.prefix = prefix;
    this.environment = Map.copyOf(environment);
    this.deprecatedVariables = Map.copyOf(olderVariables);
    this.file = Map.copyOf(file);
    this.warnings = warnings;
  }

  /** The variables a flag listens to, the one that wins first. */
  public static List<String> variablesOf(
      String prefix, String flag, Map<String, List<String>> olderVariables) {
    var names = new ArrayList<String>();
    names.add(prefix + flag.toUpperCase(Locale.ROOT).replace('-', '_'));
    names.addAll(olderVariables.getOrDefault(flag, List.of()));
    return List.copyOf(names);
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
      return null;
    }
    var flags = flagNames(option);
    for (var flag : flags) {
      var value = fromEnvironment(option, flag);
      if (value != null) {
        return value;
      }
    }
    return flags.stream().map(file::get).filter(Objects::nonNull).findFirst().orElse(null);
  }

  private @Nullable String fromEnvironment(OptionSpec option, String flag) {
    for (var variable : variablesOf(prefix, flag, deprecatedVariables)) {
      var value = environment.getOrDefault(variable, "");
      if (!value.isEmpty()) {
        var usable = convertible(option, value);
        if (usable != null) {
          return usable;
        }
        warnings.accept(
            "%s=%s is not a valid value for --%s and is ignored".formatted(variable, value, flag));
      }
    }
    return null;
  }

  /** All long names, without dashes; older ones come last. */
  private static List<String> flagNames(OptionSpec option) {
    return Stream.of(option.names())
        .filter(name -> name.startsWith("--"))
        .map(name -> name.substring(2))
        .toList();
  }

  private static @Nullable String convertible(OptionSpec option, String value) {
    if (isBoolean(option)) {
      return switch (value.toLowerCase(Locale.ROOT)) {
        case "true", "1", "yes" -> "true";
        case "false", "0", "no" -> "false";
        default -> null;
      };
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
