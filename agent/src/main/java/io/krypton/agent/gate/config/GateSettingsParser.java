// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.config;

import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.config.GateSettings.OnFatal;
import io.krypton.base.http.BindAddress;
import io.krypton.base.settings.Setting;
import io.krypton.base.settings.SettingSources;
import io.krypton.base.settings.SettingsFile;
import io.krypton.base.settings.SettingsReader;
import io.krypton.kms.config.ReadOptions;
import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Reads the settings of the gate and reports all errors at once. */
public final class GateSettingsParser {
  public static final String ENVIRONMENT_PREFIX = "KRYPTON_GATE_";

  private static final Duration MAX_POLL = Duration.ofSeconds(10);
  private static final int MAX_COUNT = 9999;

  private final GateMode mode;
  private final SettingsReader reader;

  private GateSettingsParser(GateMode mode, SettingSources sources) {
    this.mode = mode;
    this.reader =
        new SettingsReader(
            sources, Arrays.stream(GateFlag.values()).map(flag -> flag.setting(mode)).toList());
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
    return new GateSettingsParser(
            mode, new SettingSources(ENVIRONMENT_PREFIX, flags, environment, SettingsFile.NONE))
        .parse();
  }

  private Parsed parse() {
    var settings =
        new GateSettings(
            mode,
            Path.of(reader.required(setting(GateFlag.CONFIGURATION))),
            new ReadOptions(
                bool(GateFlag.RELOAD), oneOf(GateFlag.KMS_V1, KmsV1Policy.values(), this::lower)),
            bool(GateFlag.WAIT_FOR_CONFIG),
            reader.notNegative(setting(GateFlag.MAX_WAIT)),
            count(GateFlag.SUCCESS_THRESHOLD),
            count(GateFlag.FATAL_CONFIRMATIONS),
            oneOf(GateFlag.ON_FATAL, OnFatal.values(), OnFatal::value),
            reader.positive(setting(GateFlag.INTERVAL)),
            reader.positive(setting(GateFlag.UNHEALTHY_INTERVAL)),
            reader.notNegative(setting(GateFlag.DEEP_INTERVAL)),
            text(GateFlag.CANARY_DIR).isEmpty() ? null : Path.of(text(GateFlag.CANARY_DIR)),
            either(GateFlag.GRPC_HEALTH, "off", "auto"),
            listen(),
            bool(GateFlag.EXPOSE_REASONS),
            either(GateFlag.COMPAT, "none", "kube"),
            reader.atMost(setting(GateFlag.CONFIG_POLL), MAX_POLL),
            Path.of(text(GateFlag.TERMINATION_LOG)),
            settingsFile());
    return reader.errors().isEmpty()
        ? new Parsed.Valid(settings)
        : new Parsed.Invalid(reader.errors(), settings.terminationLog());
  }

  private Setting setting(GateFlag flag) {
    return flag.setting(mode);
  }

  private String text(GateFlag flag) {
    return reader.text(setting(flag));
  }

  private String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private GateSettingsFile settingsFile() {
    var file = text(GateFlag.SETTINGS);
    return file.isEmpty()
        ? GateSettingsFile.EMPTY
        : GateSettingsFileReader.read(file, reader::reject);
  }

  private boolean bool(GateFlag flag) {
    return reader.bool(setting(flag));
  }

  /** Whether it is the second of two values. */
  private boolean either(GateFlag flag, String first, String second) {
    return oneOf(flag, new String[] {first, second}, value -> value).equals(second);
  }

  private <T> T oneOf(GateFlag flag, T[] values, Function<T, String> name) {
    return reader.oneOf(setting(flag), values, name);
  }

  private int count(GateFlag flag) {
    return reader.number(setting(flag), 1, MAX_COUNT);
  }

  /** Unlike the reporter's pages, those of the gate cannot be switched off. */
  private InetSocketAddress listen() {
    return reader.parsed(
        setting(GateFlag.LISTEN),
        text -> BindAddress.parseLiteral(text).flatMap(BindAddress::socket),
        "must be <IP address>:<port>",
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }
}
