// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane.KubeconfigIssuer;
import io.krypton.sandbox.ControlPlane.Ports;
import io.krypton.sandbox.ControlPlane.Servers;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.nodes.SimulatedNodes;
import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.process.ProcessGuard;
import io.krypton.sandbox.process.ServerProcess;
import io.krypton.sandbox.process.ServerProcess.ReadinessProbe;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one control plane up, from nothing to ready. */
final class ControlPlaneStarter {
  private static final Logger log = LoggerFactory.getLogger(ControlPlaneStarter.class);
  private static final String CONTROLLER_MANAGER = "system:kube-controller-manager";
  private static final String SCHEDULER = "system:kube-scheduler";

  private final ControlPlaneBuilder options;

  ControlPlaneStarter(ControlPlaneBuilder options) {
    this.options = options;
  }

  ControlPlane start() {
    var begin = System.nanoTime();
    if (options.nodes() > 0 && !options.hasControllerManager()) {
      throw new IllegalStateException(
          "control plane %s: simulated nodes need the controller manager"
              .formatted(options.name()));
    }
    options.assets().require(neededBinaries());
    var processGuard = ProcessGuard.forNewDirectory("krypton-" + options.name() + "-");
    var plane = assemble(processGuard);
    try {
      plane.servers().start(options.onReady());
    } catch (RuntimeException e) {
      processGuard.keepLogs();
      plane.close();
      throw e;
    }
    log.atInfo()
        .addKeyValue("controlPlane", options.name())
        .addKeyValue("url", plane.url())
        .addKeyValue("millis", (System.nanoTime() - begin) / 1_000_000)
        .log("control plane is ready");
    return plane;
  }

  private ControlPlane assemble(ProcessGuard processGuard) {
    var files = new ControlPlaneFiles(processGuard.state());
    var ports = Ports.hold();
    var etcdClient = new EtcdClient(ports.etcdUrl());
    var etcd =
        process(
            processGuard,
            CommandLines.etcd(path(Binary.ETCD), files, ports),
            etcdClient::isHealthy);
    // It needs no certificate, so it comes up while they are made.
    etcd.launch();
    var authority = CertificateAuthority.named("krypton-sandbox-" + options.name());
    var issuer = new KubeconfigIssuer(options.name(), ports.apiServerUrl(), authority);
    files.write(authority, options.encryptionConfig());
    files.writeControllerManagerKubeconfig(issuer.component(CONTROLLER_MANAGER));
    var admin = new KubeApi(issuer.component("admin"));
    var servers =
        new Servers(
            etcd,
            apiServer(processGuard, files, ports, admin),
            controllerManager(processGuard, files, admin),
            nodeServers(processGuard, files, issuer, admin));
    return new ControlPlane(processGuard, issuer, ports, servers, admin, etcdClient);
  }

  private ServerProcess apiServer(
      ProcessGuard processGuard, ControlPlaneFiles files, Ports ports, KubeApi admin) {
    var command = CommandLines.apiServer(path(Binary.KUBE_APISERVER), files, ports, options);
    return process(processGuard, command, () -> answers(admin, "/readyz"));
  }

  /** Its first visible work is the service account that every pod of the namespace needs. */
  private Optional<ServerProcess> controllerManager(
      ProcessGuard processGuard, ControlPlaneFiles files, KubeApi admin) {
    if (!options.hasControllerManager()) {
      return Optional.empty();
    }
    var command =
        CommandLines.controllerManager(path(Binary.KUBE_CONTROLLER_MANAGER), files, options);
    var firstWork = "/api/v1/namespaces/default/serviceaccounts/default";
    return Optional.of(process(processGuard, command, () -> answers(admin, firstWork)));
  }

  /** KWOK's first visible work is the state of the nodes. */
  private Optional<NodeServers> nodeServers(
      ProcessGuard processGuard, ControlPlaneFiles files, KubeconfigIssuer issuer, KubeApi admin) {
    if (options.nodes() == 0) {
      return Optional.empty();
    }
    files.writeForNodes(issuer.component(SCHEDULER), issuer.component("kwok"));
    var nodes = new SimulatedNodes(admin, options.nodes());
    var ports = NodeServers.HealthPorts.hold();
    var scheduler =
        process(
            processGuard,
            CommandLines.scheduler(path(Binary.KUBE_SCHEDULER), files, ports),
            () -> answers(admin, ports.schedulerHealth()));
    var kwok =
        process(
            processGuard,
            CommandLines.kwok(path(Binary.KWOK), files, ports),
            () -> answers(admin, ports.kwokHealth()) && nodes.haveJoined());
    return Optional.of(new NodeServers(nodes, scheduler, kwok, ports));
  }

  private ServerProcess process(
      ProcessGuard processGuard, List<String> command, ReadinessProbe readinessProbe) {
    var name = Path.of(command.getFirst()).getFileName().toString();
    return new ServerProcess(name, processGuard, command, readinessProbe, options.startTimeout());
  }

  private List<Binary> neededBinaries() {
    var needed = new ArrayList<>(List.of(Binary.ETCD, Binary.KUBE_APISERVER));
    if (options.hasControllerManager()) {
      needed.add(Binary.KUBE_CONTROLLER_MANAGER);
    }
    if (options.nodes() > 0) {
      needed.addAll(List.of(Binary.KUBE_SCHEDULER, Binary.KWOK));
    }
    return needed;
  }

  private Path path(Binary binary) {
    return options.assets().find(binary);
  }

  private static boolean answers(KubeApi api, String path) {
    try {
      return api.get(path).ok();
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /** The command line of each server. */
  static final class CommandLines {
    private CommandLines() {}

    static List<String> etcd(Path binary, ControlPlaneFiles files, Ports ports) {
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
        Path binary, ControlPlaneFiles files, Ports ports, ControlPlaneBuilder options) {
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

    static List<String> controllerManager(
        Path binary, ControlPlaneFiles files, ControlPlaneBuilder options) {
      var flags = new LinkedHashMap<String, String>();
      flags.put("kubeconfig", files.controllerManagerKubeconfig().toString());
      flags.put("leader-elect", "false");
      flags.put("secure-port", "0");
      flags.put("service-account-private-key-file", files.tokenKey().toString());
      flags.put("root-ca-file", files.clientAuthority().toString());
      // Tests create and delete in bursts; the defaults would make them wait.
      flags.put("kube-api-qps", "200");
      flags.put("kube-api-burst", "400");
      if (options.nodes() > 0) {
        // A machine that is busy or was asleep must not lose its nodes; KWOK's heart beats slowly.
        flags.put("node-monitor-grace-period", "1h");
      }
      return commandLine(binary, flags);
    }

    static List<String> scheduler(
        Path binary, ControlPlaneFiles files, NodeServers.HealthPorts ports) {
      var flags = new LinkedHashMap<String, String>();
      flags.put("config", files.schedulerConfiguration().toString());
      flags.put("bind-address", "127.0.0.1");
      flags.put("secure-port", Integer.toString(ports.scheduler().number()));
      flags.put("tls-cert-file", files.servingCertificate().toString());
      flags.put("tls-private-key-file", files.servingKey().toString());
      flags.put("authentication-skip-lookup", "true");
      return commandLine(binary, flags);
    }

    static List<String> kwok(Path binary, ControlPlaneFiles files, NodeServers.HealthPorts ports) {
      var flags = new LinkedHashMap<String, String>();
      flags.put("config", files.kwokConfiguration().toString());
      flags.put("kubeconfig", files.kwokKubeconfig().toString());
      flags.put("server-address", "127.0.0.1:" + ports.kwok().number());
      return commandLine(binary, flags);
    }

    private static List<String> commandLine(Path binary, Map<String, String> flags) {
      var line = new ArrayList<String>();
      line.add(binary.toString());
      flags.forEach((flag, value) -> line.add("--%s=%s".formatted(flag, value)));
      return line;
    }
  }
}
