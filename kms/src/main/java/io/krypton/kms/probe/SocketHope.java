package io.krypton.kms.probe;

import io.krypton.kms.verdict.Finding;

/** Tells failures that end when somebody listens on the socket from all others. */
final class SocketHope {
  private SocketHope() {}

  static boolean of(Finding finding) {
    return switch (finding.reason()) {
      case SOCKET_MISSING, SOCKET_REFUSED, SOCKET_DENIED, NOT_A_SOCKET -> true;
      default -> false;
    };
  }
}
