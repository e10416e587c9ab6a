// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.config;

import io.krypton.base.http.BindAddress;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.LeaseName;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a reporter, valid.
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
    BindAddress listen) {

  public ReporterSettings {
    sockets = List.copyOf(sockets);
  }

  /** The heartbeat; null if the report itself is the heartbeat. */
  public @Nullable LeaseName lease() {
    return heartbeat == Heartbeat.LEASE
        ? new LeaseName(leaseNamespace, ReportNames.lease(target.value(), nodeName))
        : null;
  }

  /** How a reporter shows that it is alive while nothing changes. */
  public enum Heartbeat {
    /** Renews a Lease of its own. */
    LEASE("lease"),
    /** Writes the report again at every tick. */
    CONDITION("condition");

    private final String value;

    Heartbeat(String value) {
      this.value = value;
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

    KeyIdFormat(String value) {
      this.value = value;
    }

    public String value() {
      return value;
    }

    public String format(String remoteKeyId) {
      return switch (this) {
        case RAW -> remoteKeyId;
        case SHA256 -> KeyHash.label(remoteKeyId);
      };
    }
  }

  /**
   * A plugin to watch.
   *
   * @param keyId the serial number of the plugin's configuration, not the id of its remote key
   */
  public record PluginSocket(KeyId keyId, Endpoint endpoint) {}

  /** The form in which a report is written. */
  public enum ReportFormat {
    CONDITION("condition"),
    TYPED("typed");

    private final String value;

    ReportFormat(String value) {
      this.value = value;
    }

    public String value() {
      return value;
    }
  }
}
