package io.krypton.sandbox.junit;

import io.krypton.sandbox.ControlPlane;
import java.util.concurrent.CompletableFuture;

/** A control plane on its way: several start at once when nobody waits for the first. */
record SharedPlane(CompletableFuture<ControlPlane> starting) implements AutoCloseable {

  static SharedPlane start(String name) {
    return new SharedPlane(ControlPlane.builder(name).withAudit().startInBackground());
  }

  ControlPlane get() {
    return starting.join();
  }

  @Override
  public void close() {
    if (!starting.isCompletedExceptionally()) {
      starting.join().close();
    }
  }
}
