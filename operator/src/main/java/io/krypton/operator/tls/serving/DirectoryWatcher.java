// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that something in a few directories may have changed: soon after it did, and in any case
 * every so often, because watches lose events and directories appear later. Directories are
 * watched, not files: a watch on a file goes deaf when a kubelet replaces it.
 */
final class DirectoryWatcher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DirectoryWatcher.class);

  private final List<Path> directories;
  private final Duration poll;
  private final Runnable changed;
  private final @Nullable WatchService watches;
  private final Map<Path, WatchKey> watched = new HashMap<>();
  private final Thread thread;

  /** Where watches come from; a node has a limited number of them. */
  interface Source {
    WatchService open() throws IOException;
  }

  DirectoryWatcher(List<Path> directories, Duration poll, Runnable changed) {
    this(directories, poll, changed, () -> FileSystems.getDefault().newWatchService());
  }

  DirectoryWatcher(List<Path> directories, Duration poll, Runnable changed, Source source) {
    this.directories = directories.stream().distinct().toList();
    this.poll = poll;
    this.changed = changed;
    this.watches = open(source);
    this.thread = Thread.ofVirtual().name("tls files").start(this::watchUntilClosed);
  }

  /** Nodes run out of watches before they run out of anything else; then polling has to do. */
  private static @Nullable WatchService open(Source source) {
    try {
      return source.open();
    } catch (IOException none) {
      log.warn("cannot watch directories, polling TLS files");
      return null;
    }
  }

  private void watchUntilClosed() {
    try {
      while (true) {
        if (watches == null) {
          notifyListener();
          Thread.sleep(poll);
        } else {
          registerWatches(watches);
          // After the watch is set, so that nothing happens unseen between a look and its watch.
          notifyListener();
          awaitChange(watches);
        }
      }
    } catch (InterruptedException | ClosedWatchServiceException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitChange(WatchService watches) throws InterruptedException {
    var key = watches.poll(poll.toMillis(), TimeUnit.MILLISECONDS);
    for (; key != null; key = watches.poll()) {
      key.pollEvents();
      key.reset();
    }
  }

  private void registerWatches(WatchService watches) {
    watched.values().removeIf(key -> !key.isValid());
    for (var directory : directories) {
      if (!watched.containsKey(directory) && Files.isDirectory(directory)) {
        try {
          watched.put(
              directory,
              directory.register(
                  watches,
                  StandardWatchEventKinds.ENTRY_CREATE,
                  StandardWatchEventKinds.ENTRY_MODIFY,
                  StandardWatchEventKinds.ENTRY_DELETE));
        } catch (IOException notNow) {
          log.atDebug()
              .addKeyValue("directory", directory)
              .log("cannot watch directory, polling it");
        }
      }
    }
  }

  private void notifyListener() {
    try {
      changed.run();
    } catch (RuntimeException bug) { // The watch must outlive a bug in whoever listens.
      log.error("reload of TLS files failed", bug);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      if (watches != null) {
        watches.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("directory watches cannot be closed", e);
    }
  }
}
