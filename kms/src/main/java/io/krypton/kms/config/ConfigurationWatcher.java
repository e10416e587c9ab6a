// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import io.krypton.kms.config.EncryptionConfigurations.ConfigurationFile;
import io.krypton.kms.config.ReadResult.Invalid;
import io.krypton.kms.config.yaml.InvalidConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the file and delivers each new state of it once, the first one at the start: content by
 * its hash, being unreadable by its reason.
 *
 * <p>It watches the directory, because an atomic swap (a rename, or the {@code ..data} link of a
 * mounted volume) never touches the file itself; and it compares hashes at intervals, because a
 * link may lead to another directory and not every file system reports changes.
 */
public final class ConfigurationWatcher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ConfigurationWatcher.class);

  /** Writers that do not swap atomically get this long to finish. */
  private static final Duration QUIET = Duration.ofMillis(50);

  private static final int MAX_QUIET_ROUNDS = 20;
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final Path file;
  private final Path directory;
  private final Function<byte[], ReadResult> reader;
  private final Duration poll;
  private final Consumer<ReadResult> listener;
  private final @Nullable WatchService watcher;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private String lastState = "";

  private ConfigurationWatcher(
      Path file, ReadOptions options, Duration poll, Consumer<ReadResult> listener) {
    this(
        file,
        content -> EncryptionConfigurations.read(file.toString(), content, options),
        poll,
        listener);
  }

  private ConfigurationWatcher(
      Path file,
      Function<byte[], ReadResult> reader,
      Duration poll,
      Consumer<ReadResult> listener) {
    this.file = file;
    directory = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file);
    this.reader = reader;
    this.poll = poll;
    this.listener = listener;
    watcher = watchService(file);
    thread = Thread.ofVirtual().name("encryption-configuration-watch").unstarted(this::watchLoop);
  }

  /** Starts to follow; the listener is called by the watch's own thread, never concurrently. */
  public static ConfigurationWatcher start(
      Path file, ReadOptions options, Duration poll, Consumer<ReadResult> listener) {
    return start(new ConfigurationWatcher(file, options, poll, listener));
  }

  /** As above, with another reader. */
  static ConfigurationWatcher start(
      Path file,
      Function<byte[], ReadResult> reader,
      Duration poll,
      Consumer<ReadResult> listener) {
    return start(new ConfigurationWatcher(file, reader, poll, listener));
  }

  /** As above, for a listener that has read the file itself and wants to hear of changes only. */
  public static ConfigurationWatcher startAfter(
      ReadResult known,
      Path file,
      ReadOptions options,
      Duration poll,
      Consumer<ReadResult> listener) {
    var watch = new ConfigurationWatcher(file, options, poll, listener);
    watch.lastState = stateOf(known);
    return start(watch);
  }

  private static ConfigurationWatcher start(ConfigurationWatcher watch) {
    watch.thread.start();
    return watch;
  }

  /** The content by its hash; without content, why there is none. */
  private static String stateOf(ReadResult result) {
    return result instanceof Invalid unreadable && unreadable.contentHash().isEmpty()
        ? unreadable.text()
        : result.contentHash();
  }

  /** Nodes run out of watches before they run out of anything else; then the interval has to do. */
  private static @Nullable WatchService watchService(Path file) {
    try {
      return file.getFileSystem().newWatchService();
    } catch (IOException | UnsupportedOperationException e) {
      log.warn("no directory can be watched, the file is compared at intervals only");
      return null;
    }
  }

  private void watchLoop() {
    WatchKey key = null;
    try {
      while (closed.getCount() > 0) {
        if (key == null || !key.isValid()) {
          key = register();
        }
        checkFile();
        awaitChange();
      }
    } catch (ClosedWatchServiceException e) {
      log.debug("stopped to follow the encryption configuration");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable WatchKey register() {
    if (watcher == null) {
      return null;
    }
    try {
      return directory.register(
          watcher,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
    } catch (IOException e) {
      log.atDebug().addKeyValue("directory", directory).log("there is no directory to watch yet");
      return null;
    }
  }

  private void awaitChange() throws InterruptedException {
    if (watcher == null) {
      closed.await(poll.toNanos(), TimeUnit.NANOSECONDS);
      return;
    }
    var changed = watcher.poll(poll.toNanos(), TimeUnit.NANOSECONDS);
    for (int round = 0; changed != null; round++) {
      changed.pollEvents();
      changed.reset();
      var more = round < MAX_QUIET_ROUNDS ? QUIET : Duration.ZERO;
      changed = watcher.poll(more.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /** A bug that one content provokes must not end the watch: the next content may be good. */
  private void checkFile() {
    try {
      deliverIfNew();
    } catch (RuntimeException bug) {
      log.error("unexpected error while reading the encryption configuration", bug);
    }
  }

  private void deliverIfNew() {
    try {
      var content = ConfigurationFile.load(file);
      if (isNew(ConfigurationFile.hash(content))) {
        deliver(reader.apply(content));
      }
    } catch (InvalidConfigurationException e) {
      var unreadable = EncryptionConfigurations.unreadable(e);
      if (isNew(stateOf(unreadable))) {
        deliver(unreadable);
      }
    }
  }

  private boolean isNew(String state) {
    boolean changed = !state.equals(lastState);
    lastState = state;
    return changed;
  }

  private void deliver(ReadResult result) {
    try {
      listener.accept(result);
    } catch (RuntimeException e) {
      log.error("the listener of the encryption configuration failed", e);
    }
  }

  /** Returns when the thread has ended, so that the listener is not called any more. */
  @Override
  public void close() {
    closed.countDown();
    try {
      if (watcher != null) {
        watcher.close();
      }
      if (!thread.equals(Thread.currentThread()) && !thread.join(CLOSING)) {
        log.warn("the listener of the encryption configuration does not return");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop to watch directories", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
