package io.krypton.agent.gate.settings;

import io.krypton.kms.encryption.ReadOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
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
    SettingsDocument document) {}
