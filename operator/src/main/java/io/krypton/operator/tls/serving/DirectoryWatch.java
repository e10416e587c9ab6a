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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that something in a few directories may have changed: soon after it did, and in any case
 * every so often, because watches lose events and directories appear later. Directories are
 * watched, not files: a watch on a file goes deaf when a kubelet replaces it.
 */
final class DirectoryWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DirectoryWatch.class);

  private final List<Path> directories;
  private final Duration poll;
  private final Runnable changed;
  private final WatchService watches;
  private final Map<Path, WatchKey> watched = new HashMap<>();
  private final Thread thread;

  DirectoryWatch(List<Path> directories, Duration poll, Runnable changed) {
    this.directories = directories.stream().distinct().toList();
    this.poll = poll;
    this.changed = changed;
    try {
      this.watches = FileSystems.getDefault().newWatchService();
    } catch (IOException e) {
      throw new UncheckedIOException("this system has no directory watches left", e);
    }
    this.thread = Thread.ofVirtual().name("tls files").start(this::watchUntilClosed);
  }

  private void watchUntilClosed() {
    try {
      while (true) {
        watchWhatIsThere();
        // After the watch is set, so that nothing happens unseen between a look and its watch.
        look();
        var key = watches.poll(poll.toMillis(), TimeUnit.MILLISECONDS);
        for (; key != null; key = watches.poll()) {
          key.pollEvents();
          key.reset();
        }
      }
    } catch (InterruptedException | ClosedWatchServiceException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void watchWhatIsThere() {
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
          log.atDebug().addKeyValue("directory", directory).log("only polled, not watched");
        }
      }
    }
  }

  private void look() {
    try {
      changed.run();
    } catch (RuntimeException bug) { // The watch must outlive a bug in whoever listens.
      log.error("a look at the TLS files failed", bug);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      watches.close();
    } catch (IOException e) {
      throw new UncheckedIOException("directory watches cannot be closed", e);
    }
  }
}
