package io.krypton.sandbox.plugin;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Tells a socket that a dead process left from one that is in use. */
final class StaleSocket {
  private static final int TYPE_BITS = 0170000;
  private static final int SOCKET = 0140000;

  private StaleSocket() {}

  /** Refuses a path on which somebody listens, or which is something else than a socket. */
  static void demandFree(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    var mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if ((mode & TYPE_BITS) != SOCKET) {
      throw new IOException(path + ": exists and is not a socket, remove it first");
    }
    if (somebodyListens(path)) {
      throw new IOException(path + ": another process listens there, stop it first");
    }
  }

  private static boolean somebodyListens(Path path) {
    try (var connection = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return connection.isConnected();
    } catch (IOException nobody) {
      return false;
    }
  }
}
