package io.krypton.agent.reporter;

import io.krypton.agent.publish.Target;
import io.krypton.kms.protocol.KmsApi;
import java.time.Duration;
import java.util.List;

/**
 * What a reporter is told to do, checked.
 *
 * @param deepInterval zero means never
 * @param kubeconfig empty means the pod's own account
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
    ListenAddress listen) {

  public ReporterSettings {
    sockets = List.copyOf(sockets);
  }
}
