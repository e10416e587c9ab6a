package io.krypton.agent.reporter.config;

import io.krypton.agent.reporter.report.LeaseApply;
import io.krypton.agent.reporter.report.ReportTarget;
import io.krypton.kms.health.KeyIdHash;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reporter is told to do, checked.
 *
 * @param deepInterval zero means never
 * @param kubeconfig empty means the pod's own account
 * @param encryptionConfig the API server's EncryptionConfiguration; empty if it is not at hand
 */
public record ReporterSettings(
    List<PluginSocket> sockets,
    String nodeName,
    Duration interval,
    Duration readTimeout,
    Duration writeTimeout,
    String kubeconfig,
    ReportTarget target,
    ReportFormat reportAs,
    Heartbeat heartbeat,
    String leaseNamespace,
    Duration refreshInterval,
    Duration deepInterval,
    KmsApiVersion kmsApi,
    KeyIdFormat keyIdFormat,
    String encryptionConfig,
    ListenAddress listen) {

  public ReporterSettings {
    sockets = List.copyOf(sockets);
  }

  /** The heartbeat as {@code <namespace>/<name>}; null if the report itself is the heartbeat. */
  @Nullable
  public String lease() {
    return heartbeat == Heartbeat.LEASE
        ? leaseNamespace + "/" + LeaseApply.nameOf(target, nodeName)
        : null;
  }

  /** How a reporter shows that it is alive while nothing changes. */
  public enum Heartbeat {
    /** Renews a Lease of its own. */
    LEASE("lease"),
    /** Writes the report again at every tick. */
    CONDITION("condition");

    private final String value;

    Heartbeat(String word) {
      this.value = word;
    }

    public String value() {
      return value;
    }
  }

  /** How remote key ids are published. */
  public enum KeyIdFormat {
    RAW("raw"),
    SHA256("sha256");

    private final String value;

    KeyIdFormat(String word) {
      this.value = word;
    }

    public String value() {
      return value;
    }

    public String format(String remoteKeyId) {
      return switch (this) {
        case RAW -> remoteKeyId;
        case SHA256 -> KeyIdHash.of(remoteKeyId);
      };
    }
  }

  /**
   * A plugin to watch.
   *
   * @param keyId the serial number of the plugin's configuration, not the id of its remote key
   */
  public record PluginSocket(BigInteger keyId, Endpoint endpoint) {}

  /** The form in which a report is written. */
  public enum ReportFormat {
    CONDITION("condition"),
    TYPED("typed");

    private final String value;

    ReportFormat(String word) {
      this.value = word;
    }

    public String value() {
      return value;
    }
  }
}
