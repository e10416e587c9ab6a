// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.nodes.SimulatedNodes;
import io.krypton.sandbox.process.ReservedPort;
import io.krypton.sandbox.process.ServerProcess;
import java.util.function.Consumer;

/** What lets pods run: the scheduler, and KWOK with the nodes it plays. */
record NodeServers(
    SimulatedNodes nodes, ServerProcess scheduler, ServerProcess kwok, HealthPorts ports)
    implements AutoCloseable {

  /** Needs an API server. */
  void launch() {
    nodes.create();
    scheduler.launch();
    kwok.launch();
  }

  /** Needs a controller manager, which takes the taint of a new node away. */
  void awaitReady(Consumer<Binary> onReady) {
    scheduler.awaitReady();
    onReady.accept(Binary.KUBE_SCHEDULER);
    kwok.awaitReady();
    onReady.accept(Binary.KWOK);
  }

  @Override
  public void close() {
    ports.scheduler().close();
    ports.kwok().close();
  }

  /** Where both say how they are; nobody else asks. */
  record HealthPorts(ReservedPort scheduler, ReservedPort kwok) {

    static HealthPorts hold() {
      return new HealthPorts(ReservedPort.any(), ReservedPort.any());
    }

    String schedulerHealth() {
      return "https://127.0.0.1:%d/readyz".formatted(scheduler.number());
    }

    String kwokHealth() {
      return "http://127.0.0.1:%d/healthz".formatted(kwok.number());
    }
  }
}
