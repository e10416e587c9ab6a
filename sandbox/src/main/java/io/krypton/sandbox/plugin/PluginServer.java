// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import io.krypton.kms.rpc.Endpoint;
import io.krypton.sandbox.plugin.PluginFault.FaultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running development plugin. It follows its key file and its fault file, so that both can be
 * changed from outside. Never for production: the keys lie in a plain file.
 */
public final class PluginServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PluginServer.class);
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Duration POLL = Duration.ofMillis(100);

  private final Settings settings;
  private final PluginService service;
  private final Thread poller;
  private @Nullable PluginSocketListener pluginSocketListener;
  private PluginFault fault = new PluginFault.None();
  private String faultLine = PluginFault.NO_FAULT;
  private List<Object> keyFileSeen = List.of();
  private String lastFailure = "";

  /**
   * Where a plugin lives.
   *
   * @param version what Status says: {@code v2} or {@code v2beta1}
   * @param socketMode who may connect; an abstract socket has no mode
   */
  public record Settings(
      Endpoint endpoint,
      KeyFile keyFile,
      @Nullable FaultFile faultFile,
      String version,
      Set<PosixFilePermission> socketMode) {

    public Settings {
      socketMode = Set.copyOf(socketMode);
    }

    public static Settings of(Endpoint endpoint, KeyFile keyFile) {
      return new Settings(endpoint, keyFile, null, "v2", OWNER_ONLY);
    }

    public Settings withFaultFile(FaultFile file) {
      return new Settings(endpoint, keyFile, file, version, socketMode);
    }

    public Settings withVersion(String other) {
      return new Settings(endpoint, keyFile, faultFile, other, socketMode);
    }

    public Settings withSocketMode(Set<PosixFilePermission> mode) {
      return new Settings(endpoint, keyFile, faultFile, version, mode);
    }
  }

  /** Makes the key file if there is none, and listens. */
  public static PluginServer start(Settings settings) throws IOException {
    var unusable = settings.endpoint().unusableReason();
    if (unusable.isPresent()) {
      throw new IOException(settings.endpoint().text() + ": " + unusable.get());
    }
    settings.keyFile().createIfMissing();
    var server = new PluginServer(settings);
    server.reload();
    server.poller.start();
    log.atWarn()
        .addKeyValue("socket", settings.endpoint().address())
        .log("serving keys from a plain file: for development only");
    return server;
  }

  private PluginServer(Settings settings) throws IOException {
    this.settings = settings;
    this.service = new PluginService(settings.version(), settings.keyFile().read());
    this.poller = Thread.ofVirtual().name("kms-plugin-files").unstarted(this::pollFiles);
  }

  public Endpoint endpoint() {
    return settings.endpoint();
  }

  /** Does wrong from now on what the fault says; a later change of the fault file replaces it. */
  public synchronized void use(PluginFault next) throws IOException {
    fault = next;
    service.use(next);
    switch (next) {
      case PluginFault.Down() -> stopListening(false);
      case PluginFault.Refuse() -> stopListening(true);
      default -> listen();
    }
  }

  private void listen() throws IOException {
    if (pluginSocketListener == null) {
      pluginSocketListener =
          PluginSocketListener.open(settings.endpoint(), service, settings.socketMode());
    }
  }

  private void stopListening(boolean leaveFile) throws IOException {
    if (pluginSocketListener != null) {
      pluginSocketListener.close(leaveFile);
    }
    pluginSocketListener = null;
  }

  private void pollFiles() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        Thread.sleep(POLL);
        reload();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (IOException e) {
        logFailure(String.valueOf(e.getMessage()));
      }
    }
  }

  private void logFailure(String trouble) {
    if (!trouble.equals(lastFailure)) {
      lastFailure = trouble;
      log.atWarn()
          .addKeyValue("error", trouble)
          .log("goes on as before, a file or the socket cannot be used");
    }
  }

  private synchronized void reload() throws IOException {
    reloadKeys();
    reloadFault();
    if (pluginSocketListener == null && wantsToListen()) {
      listen();
    }
  }

  private boolean wantsToListen() {
    return !(fault instanceof PluginFault.Down) && !(fault instanceof PluginFault.Refuse);
  }

  private void reloadKeys() throws IOException {
    var file = Files.readAttributes(settings.keyFile().path(), BasicFileAttributes.class);
    List<Object> now = List.of(String.valueOf(file.fileKey()), file.lastModifiedTime());
    if (!now.equals(keyFileSeen)) {
      keyFileSeen = now;
      service.use(settings.keyFile().read());
    }
  }

  private void reloadFault() throws IOException {
    var file = settings.faultFile();
    var line = file == null ? faultLine : file.read();
    if (line.isEmpty() || line.equals(faultLine)) {
      return;
    }
    faultLine = line;
    var next = PluginFault.parse(line);
    if (next.isEmpty()) {
      log.atWarn().addKeyValue("fault", line).log("unknown fault, nothing changes");
      return;
    }
    log.atInfo().addKeyValue("fault", line).log("fault changed");
    use(next.get());
  }

  /** Stops, and removes the socket unless another plugin has taken its place. */
  @Override
  public void close() throws IOException {
    poller.interrupt();
    synchronized (this) {
      stopListening(fault instanceof PluginFault.Refuse);
    }
  }
}
