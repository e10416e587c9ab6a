// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.access.SandboxKubeconfig;
import io.krypton.sandbox.audit.ApiAudit;
import io.krypton.sandbox.fault.FaultProxy;
import io.krypton.sandbox.fault.StreamProxy;
import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import io.krypton.sandbox.process.ProcessGuard;
import io.krypton.sandbox.process.ReservedPort;
import io.krypton.sandbox.process.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A real etcd, API server and controller manager on loopback, with RBAC and a certificate authority
 * of their own, on request with {@link ControlPlaneBuilder#withNodes nodes}. They live until {@link
 * #close}, at most as long as this JVM.
 */
public final class ControlPlane implements AutoCloseable {
  private final ProcessGuard processGuard;
  private final KubeconfigIssuer issuer;
  private final Ports ports;
  private final Servers servers;
  private final KubeApi admin;
  private final EtcdClient etcdClient;
  private final ApiAudit audit;
  private final List<FaultProxy> proxies = new CopyOnWriteArrayList<>();

  ControlPlane(
      ProcessGuard processGuard,
      KubeconfigIssuer issuer,
      Ports ports,
      Servers servers,
      KubeApi admin,
      EtcdClient etcdClient) {
    this.processGuard = processGuard;
    this.issuer = issuer;
    this.ports = ports;
    this.servers = servers;
    this.admin = admin;
    this.etcdClient = etcdClient;
    this.audit = new ApiAudit(new ControlPlaneFiles(processGuard.state()).auditLog(), admin);
  }

  /**
   * Describes a control plane to start.
   *
   * @param name the cluster's name in kubeconfigs and logs; several may have the same
   */
  public static ControlPlaneBuilder builder(String name) {
    return new ControlPlaneBuilder(name);
  }

  /** Starts several at the same time; if one fails, none is left. */
  public static List<ControlPlane> startAll(ControlPlaneBuilder... wanted) {
    var starting = Arrays.stream(wanted).map(ControlPlaneBuilder::startInBackground).toList();
    var planes = new ArrayList<ControlPlane>();
    var failures = new ArrayList<RuntimeException>();
    for (var start : starting) {
      try {
        planes.add(start.join());
      } catch (CompletionException e) {
        failures.add(e.getCause() instanceof RuntimeException cause ? cause : e);
      }
    }
    if (!failures.isEmpty()) {
      planes.forEach(ControlPlane::close);
      throw failures.getFirst();
    }
    return List.copyOf(planes);
  }

  public String name() {
    return issuer.cluster();
  }

  public URI url() {
    return ports.apiServerUrl();
  }

  public URI etcdEndpoint() {
    return ports.etcdUrl();
  }

  public String caPem() {
    return issuer.authority().certificatePem();
  }

  /** Everything of this control plane; it disappears with it. */
  public Path directory() {
    return processGuard.directory();
  }

  public ServerProcess etcd() {
    return servers.etcd();
  }

  public ServerProcess apiServer() {
    return servers.apiServer();
  }

  public ServerProcess controllerManager() {
    return servers.controllerManager().orElseThrow(() -> lacks("a controller manager"));
  }

  public ServerProcess scheduler() {
    return nodeServers().scheduler();
  }

  /** Plays the nodes; while it is down, nothing happens on them. */
  public ServerProcess kwok() {
    return nodeServers().kwok();
  }

  /** Raw requests as a cluster administrator. */
  public KubeApi admin() {
    return admin;
  }

  public String adminKubeconfig() {
    return issuer.admin().yaml();
  }

  /** An administrator whose requests go through a proxy. */
  public String adminKubeconfig(FaultProxy proxy) {
    return issuer.admin().via(proxy.url()).yaml();
  }

  /** A user without any right but those that RBAC gives to the name and the groups. */
  public String kubeconfigFor(String user, String... groups) {
    return access(user, groups).yaml();
  }

  /** As {@link #kubeconfigFor}, before it becomes text. */
  public SandboxKubeconfig access(String user, String... groups) {
    return issuer.access(user, groups);
  }

  /** As {@link #access(String, String...)}, with a certificate that ends after this time. */
  public SandboxKubeconfig access(Duration lifetime, String user, String... groups) {
    return issuer.access(lifetime, user, groups);
  }

  /** A new proxy in front of the API server; it ends with this control plane at the latest. */
  public FaultProxy proxy() {
    var issuedIdentity = issuer.authority().server("fault-proxy", List.of());
    var proxy = FaultProxy.before(ports.apiServer().address(), issuedIdentity);
    proxies.add(proxy);
    return proxy;
  }

  /** A new proxy that counts streams; all that comes through it has the rights of this user. */
  public StreamProxy streamProxy(String user, String... groups) {
    var issuedIdentity = issuer.authority().server("stream-proxy", List.of());
    return StreamProxy.before(access(user, groups), issuedIdentity);
  }

  /** The requests that the API server answered. */
  public ApiAudit audit() {
    if (!audit.exists()) {
      throw lacks("an audit log");
    }
    return audit;
  }

  /** The file of {@link ControlPlaneBuilder#withEncryption}, which the API server watches. */
  public Path encryptionConfig() {
    return new ControlPlaneFiles(processGuard.state()).encryptionConfig();
  }

  /** The bytes that etcd holds under a key such as {@code /registry/secrets/default/token}. */
  public Optional<byte[]> stored(String etcdKey) {
    return etcdClient.read(etcdKey);
  }

  @Override
  public void close() {
    proxies.forEach(FaultProxy::close);
    admin.close();
    etcdClient.close();
    processGuard.close();
    ports.close();
    servers.nodes().ifPresent(NodeServers::close);
  }

  Servers servers() {
    return servers;
  }

  private NodeServers nodeServers() {
    return servers.nodes().orElseThrow(() -> lacks("nodes"));
  }

  private IllegalStateException lacks(String what) {
    return new IllegalStateException("control plane " + name() + " was built without " + what);
  }

  /** Makes kubeconfigs for users of one control plane. */
  record KubeconfigIssuer(String cluster, URI server, CertificateAuthority authority) {
    private static final String MASTERS = "system:masters";

    SandboxKubeconfig admin() {
      return access("admin", MASTERS);
    }

    SandboxKubeconfig access(String user, String... groups) {
      return kubeconfig(user, authority.user(user, List.of(groups)));
    }

    SandboxKubeconfig access(Duration lifetime, String user, String... groups) {
      return kubeconfig(user, authority.user(user, List.of(groups), lifetime));
    }

    /** A part of the sandbox itself; it may do everything. */
    SandboxKubeconfig component(String user) {
      return kubeconfig(user, authority.component(user, List.of(MASTERS)));
    }

    private SandboxKubeconfig kubeconfig(String user, IssuedIdentity issuedIdentity) {
      return new SandboxKubeconfig(cluster, server, authority.certificate(), user, issuedIdentity);
    }
  }

  /** The ports of a control plane; they stay held while their server is down. */
  record Ports(ReservedPort etcd, ReservedPort apiServer) implements AutoCloseable {

    static Ports hold() {
      return new Ports(ReservedPort.any(), ReservedPort.any());
    }

    URI etcdUrl() {
      return URI.create("http://127.0.0.1:" + etcd.number());
    }

    URI apiServerUrl() {
      return URI.create("https://127.0.0.1:" + apiServer.number());
    }

    @Override
    public void close() {
      etcd.close();
      apiServer.close();
    }
  }

  /** The processes of a control plane. */
  record Servers(
      ServerProcess etcd,
      ServerProcess apiServer,
      Optional<ServerProcess> controllerManager,
      Optional<NodeServers> nodes) {

    /**
     * One after the other where each would only wait for the one before; etcd is on its way, and
     * all clients of the API server come up together.
     */
    void start(Consumer<Binary> onReady) {
      etcd.awaitReady();
      onReady.accept(Binary.ETCD);
      apiServer.start();
      onReady.accept(Binary.KUBE_APISERVER);
      nodes.ifPresent(NodeServers::launch);
      if (controllerManager.isPresent()) {
        controllerManager.get().start();
        onReady.accept(Binary.KUBE_CONTROLLER_MANAGER);
      }
      nodes.ifPresent(it -> it.awaitReady(onReady));
    }
  }
}
