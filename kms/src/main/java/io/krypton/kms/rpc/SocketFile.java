// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NoConnection;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.SocketFault;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/** What the file system says of a socket's path, without connecting. */
final class SocketFile {
  private static final int TYPE_BITS = 0170000;
  private static final int SOCKET = 0140000;

  private SocketFile() {}

  /** Distinguishes a socket from one that replaced it; inode numbers are reused. */
  record Identity(String inode, FileTime createdAt) {}

  /** The identity of what is at a path; empty if nothing can be seen there. */
  static Optional<Identity> identity(String address) {
    try {
      var seen = Files.readAttributes(Path.of(address), BasicFileAttributes.class);
      return Optional.of(new Identity(String.valueOf(seen.fileKey()), seen.creationTime()));
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** The reason why nobody can be reached there, or empty if a socket is there. */
  static Optional<NoConnection> fault(String address) {
    Path path;
    try {
      path = Path.of(address);
    } catch (InvalidPathException e) {
      return fault(
          SocketFault.FAILED, "", "the path cannot be written in the character set of this system");
    }
    try {
      var mode = (Integer) Files.getAttribute(path, "unix:mode");
      return (mode & TYPE_BITS) == SOCKET
          ? Optional.empty()
          : fault(SocketFault.NOT_A_SOCKET, "ENOTSOCK", "%s is not a socket".formatted(path));
    } catch (NoSuchFileException e) {
      return missing(path);
    } catch (AccessDeniedException e) {
      return fault(
          SocketFault.DENIED, "EACCES", "permission denied on the way to %s".formatted(path));
    } catch (IOException e) {
      return Files.isSymbolicLink(path)
          ? fault(
              SocketFault.NOT_A_SOCKET,
              "ELOOP",
              "%s is a link that leads to itself".formatted(path))
          : fault(SocketFault.FAILED, "", "cannot read the attributes of %s".formatted(path));
    }
  }

  /** The JDK reports a file in the place of a directory as a missing file, too. */
  private static Optional<NoConnection> missing(Path path) {
    for (var parent = path.getParent(); parent != null; parent = parent.getParent()) {
      if (Files.exists(parent)) {
        return Files.isDirectory(parent)
            ? fault(SocketFault.MISSING, "ENOENT", whatIsMissing(path))
            : fault(SocketFault.NOT_A_SOCKET, "ENOTDIR", "%s is not a directory".formatted(parent));
      }
    }
    return fault(SocketFault.MISSING, "ENOENT", whatIsMissing(path));
  }

  private static String whatIsMissing(Path path) {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return "%s is a link to nothing".formatted(path);
    }
    var directory = path.getParent();
    return directory == null || Files.exists(directory)
        ? "socket %s does not exist".formatted(path)
        : "directory %s does not exist".formatted(directory);
  }

  private static Optional<NoConnection> fault(SocketFault fault, String errno, String text) {
    return Optional.of(new NoConnection(fault, errno, text));
  }
}
