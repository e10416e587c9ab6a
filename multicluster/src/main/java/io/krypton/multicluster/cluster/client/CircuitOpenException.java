package io.krypton.multicluster.cluster.client;

import java.io.IOException;

/** The request was not sent, because its cluster is known to be out of reach. */
public final class CircuitOpenException extends IOException {
  CircuitOpenException(String cluster) {
    super("cluster " + cluster + " is unreachable; the request was not sent");
  }
}
