// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The private files of Helm in this run of the program. A place that cannot be used is tried again
 * with each use.
 */
public final class HelmFiles implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HelmFiles.class);

  private final Path dataDir;
  private final String withoutDirectory = UUID.randomUUID().toString();
  private @Nullable RunDirectory directory;
  private boolean closed;
  private boolean remembered;

  /** Also removes what an earlier run left behind when it was killed. */
  public HelmFiles(Path dataDir) {
    this.dataDir = dataDir;
    try {
      // At once, not with the first operation: a run that died left credentials in its files.
      directory();
    } catch (IOException e) {
      log.atWarn().log("no directory for Helm files: {}", e.toString());
    }
  }

  public OperationFiles newFiles() throws IOException {
    return new OperationFiles(directory().newDirectory());
  }

  /** An id that no other run has; the next run knows it as ended if this one dies. */
  public synchronized String instance() {
    return directory == null ? withoutDirectory : directory.instance();
  }

  /** Whether this was a run on this machine that died, and of which no process is left. */
  public synchronized boolean hasEnded(String instance) {
    return directory != null && directory.deadInstances().contains(instance);
  }

  private synchronized RunDirectory directory() throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    var known = directory;
    if (known == null) {
      known = RunDirectory.open(dataDir);
      directory = known;
    }
    return known;
  }

  /**
   * Releases may be locked by this run when it ends: the next one shall know that it has ended, as
   * if it had died.
   */
  public synchronized void rememberThisRun() {
    remembered = true;
  }

  /** Removes all of them. */
  @Override
  public synchronized void close() {
    closed = true;
    if (directory != null && remembered) {
      directory.closeRemembered();
    } else if (directory != null) {
      directory.close();
    }
    directory = null;
  }

  /** The files of one Helm process; they are gone when it is closed. */
  public record OperationFiles(Path directory) implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OperationFiles.class);

    public Path write(String name, String content) throws IOException {
      return PrivateDirectory.write(directory.resolve(name), content);
    }

    @Override
    public void close() {
      try {
        PrivateDirectory.delete(directory);
      } catch (IOException e) {
        log.atWarn()
            .addKeyValue("directory", directory)
            .log("Helm files left behind: {}", e.toString());
      }
    }
  }
}
