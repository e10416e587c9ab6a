package io.krypton.agent.reporter;

import io.krypton.agent.publish.LeaseApply;
import io.krypton.agent.publish.Target;
import io.krypton.kms.protocol.KmsApi;
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
    Target target,
    ReportForm reportAs,
    Heartbeat heartbeat,
    String leaseNamespace,
    Duration refreshInterval,
    Duration deepInterval,
    KmsApi kmsApi,
    KeyIdFormat keyIdFormat,
    String encryptionConfig,
    ListenAddress listen) {

  public ReporterSettings {
    sockets = List.copyOf(sockets);
  }

  /** The heartbeat as {@code <namespace>/<name>}; null if the report itself is the heartbeat. */
  @Nullable String lease() {
    return heartbeat == Heartbeat.LEASE
        ? leaseNamespace + "/" + LeaseApply.nameOf(target, nodeName)
        : null;
  }
}
