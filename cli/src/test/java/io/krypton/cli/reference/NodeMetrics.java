// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import java.util.List;

/**
 * What reporter and gate show on their own pages. The end-to-end test of metrics compares this list
 * with the pages of running programs, both ways.
 */
final class NodeMetrics {
  /**
   * One family.
   *
   * @param labels in the order in which they are written
   */
  record Family(String name, String type, String help, List<String> labels) {
    static Family of(String name, String type, String help, String... labels) {
      return new Family(name, type, help, List.of(labels));
    }
  }

  static final List<Family> REPORTER =
      List.of(
          Family.of(
              "krypton_kms_plugin_healthy",
              "gauge",
              "Whether the plugin is reported as healthy.",
              "key_id"),
          Family.of(
              "krypton_kms_remote_key_info",
              "gauge",
              "The remote key of the plugin, as a hash.",
              "key_id",
              "key_id_hash"),
          Family.of(
              "krypton_kms_probe_total",
              "counter",
              "Total probes by plugin, phase and result.",
              "key_id",
              "phase",
              "class",
              "cause"),
          Family.of(
              "krypton_kms_probe_duration_seconds",
              "summary",
              "Duration of probes.",
              "key_id",
              "phase"),
          Family.of(
              "krypton_kms_deep_calls_total",
              "counter",
              "Total Encrypt and Decrypt calls, which a remote KMS may charge for.",
              "key_id",
              "operation",
              "result"),
          Family.of(
              "krypton_reporter_api_connected",
              "gauge",
              "Whether the API server responded to the last call."),
          Family.of(
              "krypton_reporter_last_publish_age_seconds",
              "gauge",
              "Time since the API server last accepted a report."),
          Family.of(
              "krypton_reporter_unpublished_transitions",
              "gauge",
              "Changes since the last accepted report."),
          Family.of(
              "krypton_reporter_writes_total",
              "counter",
              "Total writes to the API server by kind and result.",
              "kind",
              "result"),
          Family.of("krypton_reporter_heartbeat_mode", "gauge", "The heartbeat in use.", "mode"));

  static final List<Family> GATE =
      List.of(
          Family.of(
              "krypton_gate_overall_verdict",
              "gauge",
              "The worst of the required providers: 0 ok, 1 wait, 2 fatal."),
          Family.of(
              "krypton_gate_verdict",
              "gauge",
              "0 ok, 1 wait, 2 fatal.",
              "provider_name",
              "index",
              "role"),
          Family.of(
              "krypton_gate_degraded",
              "gauge",
              "Providers that are ok with something missing.",
              "provider_name",
              "index",
              "role",
              "reason"),
          Family.of(
              "krypton_gate_last_probe_timestamp_seconds",
              "gauge",
              "When the last probe began.",
              "provider_name",
              "index",
              "role"),
          Family.of(
              "krypton_gate_wait_seconds",
              "gauge",
              "Time until everything was ok for the first time."),
          Family.of("krypton_gate_config_info", "gauge", "The configuration in use.", "hash"),
          Family.of(
              "krypton_gate_config_reloads_total",
              "counter",
              "Configurations that were taken into use, and files that could not be.",
              "status"),
          Family.of(
              "krypton_gate_probes_total",
              "counter",
              "Probes by how deep they came and what they found.",
              "provider_name",
              "level",
              "result"),
          Family.of(
              "krypton_gate_key_id_hash_status_last_timestamp_seconds",
              "gauge",
              "When the plugin last named its key, by the hash of the key id.",
              "provider_name",
              "key_id_hash"),
          Family.of(
              "krypton_gate_kms_operations_latency_seconds",
              "histogram",
              "Time that calls took.",
              "provider_name",
              "method_name",
              "grpc_status_code"),
          Family.of("kubernetes_healthcheck", "gauge", "Whether a check passes.", "name", "type"),
          Family.of(
              "kubernetes_healthchecks_total",
              "counter",
              "Total checks by result.",
              "name",
              "type",
              "status"));

  private NodeMetrics() {}
}
