package io.krypton.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The command line of each server. */
final class Commands {
  private Commands() {}

  static List<String> etcd(Path binary, StateFiles files, Ports ports) {
    return List.of(
        binary.toString(),
        "--data-dir=" + files.etcdData(),
        "--listen-client-urls=" + ports.etcdUrl(),
        "--advertise-client-urls=" + ports.etcdUrl(),
        // A single member has no peers, so any port will do.
        "--listen-peer-urls=http://127.0.0.1:0",
        // The only voter elects itself; waiting for others would cost a tenth of a second.
        "--heartbeat-interval=10",
        "--election-timeout=100",
        // The data lives as long as this machine is up; a killed etcd loses nothing by this.
        "--unsafe-no-fsync");
  }

  static List<String> apiServer(
      Path binary, StateFiles files, Ports ports, ControlPlaneBuilder options) {
    var flags = new LinkedHashMap<String, String>();
    flags.put("etcd-servers", ports.etcdUrl().toString());
    flags.put("bind-address", "127.0.0.1");
    flags.put("advertise-address", "127.0.0.1");
    flags.put("secure-port", Integer.toString(ports.apiServer().number()));
    flags.put("tls-cert-file", files.servingCertificate().toString());
    flags.put("tls-private-key-file", files.servingKey().toString());
    flags.put("client-ca-file", files.clientAuthority().toString());
    flags.put("authorization-mode", "RBAC");
    flags.put("service-account-key-file", files.tokenPublicKey().toString());
    flags.put("service-account-signing-key-file", files.tokenKey().toString());
    flags.put("service-account-issuer", "https://kubernetes.default.svc");
    flags.put("service-cluster-ip-range", "10.96.0.0/16");
    flags.put("allow-privileged", "true");
    // A loopback address is no valid endpoint of the service "kubernetes"; nobody here needs it.
    flags.put("endpoint-reconciler-type", "none");
    if (options.hasAudit()) {
      flags.put("audit-policy-file", files.auditPolicy().toString());
      flags.put("audit-log-path", files.auditLog().toString());
      // Blocking: the line is in the file before the client sees the end of the answer.
      flags.put("audit-log-mode", "blocking");
      flags.put("audit-log-maxsize", "4096");
    }
    if (options.encryptionConfig().isPresent()) {
      flags.put("encryption-provider-config", files.encryptionConfig().toString());
      flags.put("encryption-provider-config-automatic-reload", "true");
    }
    flags.putAll(options.apiServerFlags());
    return commandLine(binary, flags);
  }

  static List<String> controllerManager(Path binary, StateFiles files) {
    var flags = new LinkedHashMap<String, String>();
    flags.put("kubeconfig", files.controllerManagerKubeconfig().toString());
    flags.put("leader-elect", "false");
    flags.put("secure-port", "0");
    flags.put("service-account-private-key-file", files.tokenKey().toString());
    flags.put("root-ca-file", files.clientAuthority().toString());
    // Tests create and delete in bursts; the defaults would make them wait.
    flags.put("kube-api-qps", "200");
    flags.put("kube-api-burst", "400");
    return commandLine(binary, flags);
  }

  private static List<String> commandLine(Path binary, Map<String, String> flags) {
    var line = new ArrayList<String>();
    line.add(binary.toString());
    flags.forEach((flag, value) -> line.add("--%s=%s".formatted(flag, value)));
    return line;
  }
}
