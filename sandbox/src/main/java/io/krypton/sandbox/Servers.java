package io.krypton.sandbox;

import io.krypton.sandbox.process.ServerProcess;
import java.util.Optional;

/** The processes of a control plane. */
record Servers(
    ServerProcess etcd, ServerProcess apiServer, Optional<ServerProcess> controllerManager) {

  /** One after the other, since each would only wait for the one before; etcd is on its way. */
  void start() {
    etcd.awaitReady();
    apiServer.start();
    controllerManager.ifPresent(ServerProcess::start);
  }
}
