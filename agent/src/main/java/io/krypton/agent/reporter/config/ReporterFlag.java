// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.config;

import io.krypton.base.settings.Setting;
import java.util.Arrays;
import java.util.List;

/** Every setting of the reporter, in the order in which help shows them. */
public enum ReporterFlag {
  KMS_SOCKETS(
      "kms-sockets",
      "",
      "Plugin sockets, comma separated: unix:///var/run/kmsplugin/kms-<n>.sock or"
          + " <keyID>=unix:///<path>. Required."),
  NODE_NAME(
      "node-name",
      "",
      "Unique among the reporters of one target; also taken from NODE_NAME. Required."),
  INTERVAL("interval", "30s", "Time between two probes of a plugin, 15m at most."),
  READ_TIMEOUT("read-timeout", "5s", "Limit for each call to a plugin."),
  WRITE_TIMEOUT("write-timeout", "10s", "Limit for each call to the API server."),
  KUBECONFIG("kubeconfig", "", "Credentials for the API server. Empty: the pod's own account."),
  TARGET(
      "target",
      "kmshealth",
      "Object to report on: kmshealth, kubeapiserver, openshiftapiserver, authentication."),
  REPORT_AS("report-as", "condition", "Form of the report: condition, typed."),
  HEARTBEAT(
      "heartbeat", "lease", "Heartbeat: lease, or condition to write the report at every probe."),
  LEASE_NAMESPACE("lease-namespace", "krypton-system", "Namespace of the heartbeat Leases."),
  REFRESH_INTERVAL(
      "refresh-interval", "10m", "Time after which an unchanged report is written again."),
  DEEP_INTERVAL("deep-interval", "5m", "Time between two rounds of Encrypt and Decrypt. 0: never."),
  KMS_API("kms-api", "v2", "API of the plugins: v1, v2."),
  KEY_ID_FORMAT(
      "key-id-format",
      "sha256",
      "How remote key ids are published: sha256 as in the metrics of kube-apiserver, or raw."),
  ENCRYPTION_CONFIG(
      "encryption-provider-config",
      "",
      "The EncryptionConfiguration of the local API server; from it come the roles of the"
          + " plugins, write or read. Empty: roles are not reported."),
  LISTEN(
      "listen",
      "127.0.0.1:9811",
      "Address of /healthz, /livez, /readyz and /metrics, plain HTTP. 0: off.");

  private final String flagName;
  private final String defaultValue;
  private final String description;

  ReporterFlag(String flagName, String defaultValue, String description) {
    this.flagName = flagName;
    this.defaultValue = defaultValue;
    this.description = description;
  }

  /** The setting behind the flag. */
  public Setting setting() {
    var setting = Setting.named(flagName).withDefault(defaultValue);
    // The downward API usually gives the name of the node in this variable.
    return this == NODE_NAME ? setting.orVariables("NODE_NAME") : setting;
  }

  public String description() {
    return description;
  }

  static List<Setting> settings() {
    return Arrays.stream(values()).map(ReporterFlag::setting).toList();
  }
}
