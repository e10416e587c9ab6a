package io.krypton.sandbox;

import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.process.Guard;
import io.krypton.sandbox.process.Readiness;
import io.krypton.sandbox.process.ServerProcess;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one control plane up, from nothing to ready. */
final class Startup {
  private static final Logger LOG = LoggerFactory.getLogger(Startup.class);
  private static final String CONTROLLER_MANAGER = "system:kube-controller-manager";

  private final ControlPlaneBuilder options;

  Startup(ControlPlaneBuilder options) {
    this.options = options;
  }

  ControlPlane run() {
    var begin = System.nanoTime();
    options.assets().require(neededBinaries());
    var guard = Guard.overNewDirectory("krypton-" + options.name() + "-");
    var plane = assemble(guard);
    try {
      plane.servers().start();
    } catch (RuntimeException e) {
      guard.keepLogs();
      plane.close();
      throw e;
    }
    LOG.atInfo()
        .addKeyValue("controlPlane", options.name())
        .addKeyValue("url", plane.url())
        .addKeyValue("millis", (System.nanoTime() - begin) / 1_000_000)
        .log("control plane is ready");
    return plane;
  }

  private ControlPlane assemble(Guard guard) {
    var files = new StateFiles(guard.state());
    var ports = Ports.hold();
    var etcdClient = new EtcdClient(ports.etcdUrl());
    var etcd =
        process(guard, Commands.etcd(path(Binary.ETCD), files, ports), etcdClient::isHealthy);
    // It needs no certificate, so it comes up while they are made.
    etcd.launch();
    var authority = CertificateAuthority.named("krypton-sandbox-" + options.name());
    var issuer = new AccessIssuer(options.name(), ports.apiServerUrl(), authority);
    files.write(authority, options.encryptionConfig());
    files.writeControllerManagerKubeconfig(issuer.component(CONTROLLER_MANAGER));
    var admin = new KubeApi(issuer.component("admin"));
    var servers =
        new Servers(
            etcd, apiServer(guard, files, ports, admin), controllerManager(guard, files, admin));
    return new ControlPlane(guard, issuer, ports, servers, admin, etcdClient);
  }

  private ServerProcess apiServer(Guard guard, StateFiles files, Ports ports, KubeApi admin) {
    var command = Commands.apiServer(path(Binary.KUBE_APISERVER), files, ports, options);
    return process(guard, command, () -> answers(admin, "/readyz"));
  }

  /** Its first visible work is the service account that every pod of the namespace needs. */
  private Optional<ServerProcess> controllerManager(Guard guard, StateFiles files, KubeApi admin) {
    if (!options.hasControllerManager()) {
      return Optional.empty();
    }
    var command = Commands.controllerManager(path(Binary.KUBE_CONTROLLER_MANAGER), files);
    var firstWork = "/api/v1/namespaces/default/serviceaccounts/default";
    return Optional.of(process(guard, command, () -> answers(admin, firstWork)));
  }

  private ServerProcess process(Guard guard, List<String> command, Readiness readiness) {
    var name = Path.of(command.getFirst()).getFileName().toString();
    return new ServerProcess(name, guard, command, readiness, options.startPatience());
  }

  private List<Binary> neededBinaries() {
    return options.hasControllerManager()
        ? List.of(Binary.ETCD, Binary.KUBE_APISERVER, Binary.KUBE_CONTROLLER_MANAGER)
        : List.of(Binary.ETCD, Binary.KUBE_APISERVER);
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
}
