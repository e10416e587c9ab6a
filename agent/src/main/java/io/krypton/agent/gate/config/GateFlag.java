// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.config;

import static io.krypton.agent.gate.config.GateSettings.GateMode.CHECK;
import static io.krypton.agent.gate.config.GateSettings.GateMode.SERVE;
import static io.krypton.agent.gate.config.GateSettings.GateMode.WAIT;

import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.base.settings.Setting;
import java.util.Arrays;
import java.util.List;

/** Every setting of the gate, in the order in which help shows them. */
public enum GateFlag {
  CONFIGURATION(
      "encryption-provider-config", "", "The EncryptionConfiguration of the API server. Required."),
  RELOAD(
      "encryption-provider-config-automatic-reload",
      "false",
      "The value of the API server's flag of the same name: true, false."),
  KMS_V1(
      "kms-v1",
      "deny",
      "Treatment of KMS v1: deny as the API server does by default, allow as with"
          + " --feature-gates=KMSv1=true, warn to allow it with a warning."),
  WAIT_FOR_CONFIG(
      "wait-for-config",
      "",
      "Whether to wait for a missing or invalid file instead of exiting with 3: true, false."
          + " Default: true for serve, else false"),
  MAX_WAIT("max-wait", "", "Time after which to exit with 5. 0: never. Default: 0s, for check 10s"),
  SUCCESS_THRESHOLD(
      "success-threshold",
      "1",
      "Rounds in a row, 1s apart, in which all required providers must be OK."),
  FATAL_CONFIRMATIONS(
      "fatal-confirmations",
      "3",
      "FATAL observations, over at least 5s and without an OK between, that count."),
  ON_FATAL(
      "on-fatal",
      "",
      "After a FATAL that counts: exit with 4, hold and keep probing, or pass without the"
          + " provider. Default: hold for serve, else exit"),
  INTERVAL("interval", "10s", "Time between two probes of a healthy plugin."),
  UNHEALTHY_INTERVAL(
      "unhealthy-interval",
      "2s",
      "Time between two probes of any other plugin, and between the two failures that end an OK."),
  DEEP_INTERVAL(
      "deep-interval",
      "5m",
      "Time between two rounds of Encrypt and Decrypt; for KMS v1 no longer than --interval."
          + " 0: at the start, for a new key, on recovery."),
  CANARY_DIR("canary-dir", "", "Directory for samples that must stay readable. Empty: memory."),
  GRPC_HEALTH("grpc-health", "off", "Whether to call the gRPC health service, too: off, auto."),
  LISTEN("listen", "127.0.0.1:9810", "Address of the endpoints, plain HTTP."),
  EXPOSE_REASONS("expose-reasons", "false", "Show reasons to remote peers, too."),
  COMPAT("compat", "none", "Respond as kube-apiserver does: none, kube."),
  CONFIG_POLL(
      "config-poll",
      "10s",
      "Time between two polls of the file, in addition to file system events; 10s at most."),
  TERMINATION_LOG(
      "termination-log",
      "/dev/termination-log",
      "File for the termination message, one line of JSON."),
  SETTINGS("settings", "", "YAML file of kind GateSettings: fatal patterns and providers.");

  private final String flagName;
  private final String defaultValue;
  private final String description;

  GateFlag(String flagName, String defaultValue, String description) {
    this.flagName = flagName;
    this.defaultValue = defaultValue;
    this.description = description;
  }

  /** The name without dashes. */
  public String flagName() {
    return flagName;
  }

  /** The setting behind the flag; some defaults depend on the command. */
  Setting setting(GateMode mode) {
    return Setting.named(flagName).withDefault(defaultValue(mode));
  }

  private String defaultValue(GateMode mode) {
    return switch (this) {
      case WAIT_FOR_CONFIG -> mode == SERVE ? "true" : "false";
      case MAX_WAIT -> mode == CHECK ? "10s" : "0s";
      case ON_FATAL -> mode == SERVE ? "hold" : "exit";
      // One round decides: whoever calls counts its failures.
      case FATAL_CONFIRMATIONS -> mode == CHECK ? "1" : defaultValue;
      default -> defaultValue;
    };
  }

  private boolean isOf(GateMode mode) {
    return switch (this) {
      case MAX_WAIT -> mode != SERVE;
      case SUCCESS_THRESHOLD -> mode == WAIT;
      case FATAL_CONFIRMATIONS -> mode != CHECK;
      case LISTEN, EXPOSE_REASONS, COMPAT -> mode == SERVE;
      default -> true;
    };
  }

  /**
   * Whether the flag may stand alone, which means true, as the bool flags of kube-apiserver may.
   */
  public boolean isBoolean() {
    return switch (this) {
      case RELOAD, WAIT_FOR_CONFIG, EXPOSE_REASONS -> true;
      default -> false;
    };
  }

  /** Whether kube-apiserver has this flag, so that a line of its manifest works here unchanged. */
  public boolean isOfKubeApiServer() {
    return this == CONFIGURATION || this == RELOAD;
  }

  public String description() {
    return defaultValue.isEmpty() ? description : description + " Default: " + defaultValue;
  }

  /** The flags that a command has. */
  public static List<GateFlag> of(GateMode mode) {
    return Arrays.stream(values()).filter(flag -> flag.isOf(mode)).toList();
  }
}
