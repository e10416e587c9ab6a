package io.krypton.agent.gate.config;

import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.config.GateSettings.OnFatal;
import io.krypton.agent.settings.FlagDuration;
import io.krypton.agent.settings.GoBool;
import io.krypton.agent.settings.SettingLayers;
import io.krypton.kms.config.ReadOptions;
import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads all settings and finds all mistakes, not only the first. */
public final class GateSettingsParser {
  public static final String ENVIRONMENT_PREFIX = "KRYPTON_GATE_";

  private static final Duration MAX_POLL = Duration.ofSeconds(10);
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([0-9.]+|localhost)):(\\d{1,5})");

  private final GateMode mode;
  private final SettingLayers layers;
  private final List<String> errors = new ArrayList<>();

  private GateSettingsParser(GateMode mode, SettingLayers layers) {
    this.mode = mode;
    this.layers = layers;
  }

  /** Usable settings, or everything that is wrong with them. */
  public sealed interface Parsed {
    record Valid(GateSettings settings) implements Parsed {}

    /** The termination log is the one that was asked for, or the usual one. */
    record Invalid(List<String> errors, Path terminationLog) implements Parsed {}
  }

  /**
   * Reads settings.
   *
   * @param flags those on the command line, without dashes
   */
  public static Parsed parse(
      GateMode mode, Map<String, String> flags, Map<String, String> environment) {
    var layers = new SettingLayers(flags, ownVariables(environment), Map.of());
    return new GateSettingsParser(mode, layers).parse();
  }

  /** Renamed to what the layers look for; those of the reporter mean something else. */
  private static Map<String, String> ownVariables(Map<String, String> environment) {
    var own = new HashMap<String, String>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(ENVIRONMENT_PREFIX)) {
            own.put(
                SettingLayers.ENVIRONMENT_PREFIX + name.substring(ENVIRONMENT_PREFIX.length()),
                value);
          }
        });
    return own;
  }

  private Parsed parse() {
    var settings =
        new GateSettings(
            mode,
            configuration(),
            new ReadOptions(
                bool(GateFlag.RELOAD), oneOf(GateFlag.KMS_V1, KmsV1Policy.values(), this::lower)),
            bool(GateFlag.WAIT_FOR_CONFIG),
            notNegative(GateFlag.MAX_WAIT),
            count(GateFlag.SUCCESS_THRESHOLD),
            count(GateFlag.FATAL_CONFIRMATIONS),
            oneOf(GateFlag.ON_FATAL, OnFatal.values(), OnFatal::value),
            positive(GateFlag.INTERVAL),
            positive(GateFlag.UNHEALTHY_INTERVAL),
            notNegative(GateFlag.DEEP_INTERVAL),
            text(GateFlag.CANARY_DIR).isEmpty() ? null : Path.of(text(GateFlag.CANARY_DIR)),
            either(GateFlag.GRPC_HEALTH, "off", "auto"),
            listen(),
            bool(GateFlag.EXPOSE_REASONS),
            either(GateFlag.COMPAT, "none", "kube"),
            configPoll(),
            Path.of(text(GateFlag.TERMINATION_LOG)),
            settingsFile());
    return errors.isEmpty()
        ? new Parsed.Valid(settings)
        : new Parsed.Invalid(errors, settings.terminationLog());
  }

  private String text(GateFlag flag) {
    return layers.find(flag.flagName()).orElse(flag.defaultValue(mode));
  }

  private String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private Path configuration() {
    var text = text(GateFlag.CONFIGURATION);
    if (text.isEmpty()) {
      errors.add("--%s is required".formatted(GateFlag.CONFIGURATION.flagName()));
    }
    return Path.of(text);
  }

  private GateSettingsFile settingsFile() {
    var file = text(GateFlag.SETTINGS);
    return file.isEmpty() ? GateSettingsFile.EMPTY : GateSettingsFileReader.read(file, errors);
  }

  private boolean bool(GateFlag flag) {
    var text = text(flag);
    var value = GoBool.parse(text);
    if (value.isEmpty()) {
      errors.add("--%s \"%s\" must be one of false, true".formatted(flag.flagName(), text));
    }
    return value.orElse(false);
  }

  /** Whether it is the second word. */
  private boolean either(GateFlag flag, String first, String second) {
    return oneOf(flag, new String[] {first, second}, word -> word).equals(second);
  }

  private <T> T oneOf(GateFlag flag, T[] values, Function<T, String> word) {
    var text = text(flag);
    for (var value : values) {
      if (word.apply(value).equals(text)) {
        return value;
      }
    }
    errors.add(
        "--%s \"%s\" must be one of %s"
            .formatted(
                flag.flagName(),
                text,
                Arrays.stream(values).map(word).collect(Collectors.joining(", "))));
    return values[0];
  }

  private int count(GateFlag flag) {
    var text = text(flag);
    if (text.matches("[1-9]\\d{0,3}")) {
      return Integer.parseInt(text);
    }
    errors.add("--%s \"%s\" must be a number from 1 to 9999".formatted(flag.flagName(), text));
    return 1;
  }

  private Duration positive(GateFlag flag) {
    var duration = duration(flag);
    if (!duration.isPositive()) {
      errors.add("--%s must be positive".formatted(flag.flagName()));
    }
    return duration;
  }

  private Duration notNegative(GateFlag flag) {
    var duration = duration(flag);
    if (duration.isNegative()) {
      errors.add("--%s must not be negative".formatted(flag.flagName()));
    }
    return duration;
  }

  private Duration configPoll() {
    var poll = positive(GateFlag.CONFIG_POLL);
    if (poll.compareTo(MAX_POLL) > 0) {
      errors.add("--%s must be at most 10s".formatted(GateFlag.CONFIG_POLL.flagName()));
    }
    return poll;
  }

  private Duration duration(GateFlag flag) {
    var text = text(flag);
    var duration = FlagDuration.parse(text);
    if (duration.isEmpty()) {
      errors.add(
          "--%s \"%s\" is not a duration, write for example 30s".formatted(flag.flagName(), text));
    }
    // Any positive value will do: there is an error already.
    return duration.orElse(Duration.ofSeconds(1));
  }

  private InetSocketAddress listen() {
    var text = text(GateFlag.LISTEN);
    var match = HOST_AND_PORT.matcher(text);
    if (match.matches() && Integer.parseInt(match.group(3)) <= 65_535) {
      var host = match.group(1) == null ? match.group(2) : match.group(1);
      try {
        var address =
            host.equals("localhost")
                ? InetAddress.getLoopbackAddress()
                : InetAddress.ofLiteral(host);
        return new InetSocketAddress(address, Integer.parseInt(match.group(3)));
      } catch (IllegalArgumentException e) {
        // Digits and dots that are no address; told below.
      }
    }
    errors.add("--listen \"%s\" must be <IP address>:<port>".formatted(text));
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }
}
