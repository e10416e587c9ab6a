// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.config;

import io.krypton.kms.config.ReadOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one gate, valid.
 *
 * @param maxWait zero means for ever
 * @param deepInterval zero means at the start, for a new key and on recovery only
 * @param canaryDirectory null keeps canaries in memory
 */
public record GateSettings(
    GateMode mode,
    Path configuration,
    ReadOptions readOptions,
    boolean waitForConfig,
    Duration maxWait,
    int successThreshold,
    int fatalConfirmations,
    OnFatal onFatal,
    Duration interval,
    Duration unhealthyInterval,
    Duration deepInterval,
    @Nullable Path canaryDirectory,
    boolean grpcHealth,
    InetSocketAddress listen,
    boolean exposeReasons,
    boolean kubeCompat,
    Duration configPoll,
    Path terminationLog,
    GateSettingsFile settingsFile) {

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

  /** What a confirmed FATAL does. */
  public enum OnFatal {
    /** End with exit code 4. */
    EXIT,
    /** Go on probing. */
    HOLD,
    /** Treat the provider as not required. */
    PASS;

    String value() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
