package io.krypton.sandbox;

import io.krypton.sandbox.process.HeldPort;
import java.net.URI;

/** The ports of a control plane; they stay held while their server is down. */
record Ports(HeldPort etcd, HeldPort apiServer) implements AutoCloseable {

  static Ports hold() {
    return new Ports(HeldPort.any(), HeldPort.any());
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
