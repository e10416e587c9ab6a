// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import io.krypton.agent.reporter.config.ReporterSettings.PluginSocket;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.ReportedRole;
import io.krypton.kms.config.ConfigurationWatcher;
import io.krypton.kms.config.EncryptionConfiguration;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.config.EncryptionConfigurations;
import io.krypton.kms.config.ReadOptions;
import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import io.krypton.kms.config.ReadResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the EncryptionConfiguration of the API server for the roles of the plugins. A missing or
 * broken file is a state like any other: no role is known until it can be read.
 */
final class ProviderRoleWatcher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProviderRoleWatcher.class);

  /** Whether the API server would take KMS v1 is the gate's question, not ours. */
  private static final ReadOptions OPTIONS = new ReadOptions(false, KmsV1Policy.ALLOW);

  private final List<PluginSocket> sockets;
  private final Consumer<Map<KeyId, ReportedRole>> listener;
  private final ConfigurationWatcher watch;

  /** Calls the listener before it returns, so that the first report can have them. */
  ProviderRoleWatcher(
      Path file,
      List<PluginSocket> sockets,
      Duration poll,
      Consumer<Map<KeyId, ReportedRole>> listener) {
    this.sockets = List.copyOf(sockets);
    this.listener = listener;
    var first = EncryptionConfigurations.read(file, OPTIONS);
    onConfiguration(first);
    this.watch = ConfigurationWatcher.startAfter(first, file, OPTIONS, poll, this::onConfiguration);
  }

  private void onConfiguration(ReadResult read) {
    switch (read) {
      case ReadResult.Loaded loaded -> {
        var roles = rolesOf(sockets, loaded.configuration());
        log.atInfo().addKeyValue("roles", roles).log("encryption configuration read");
        listener.accept(roles);
      }
      case ReadResult.Invalid invalid -> {
        log.warn("reporting without roles: {}", invalid.text());
        listener.accept(Map.of());
      }
    }
  }

  /**
   * The roles of the plugins that the configuration names, by keyID. One that writes any resource
   * is a writer; one that is not named has no role.
   */
  static Map<KeyId, ReportedRole> rolesOf(
      List<PluginSocket> sockets, EncryptionConfiguration configuration) {
    var roles = new TreeMap<KeyId, ReportedRole>();
    for (var socket : sockets) {
      for (var provider : configuration.kmsProviders()) {
        if (provider.address().equals(socket.endpoint().address())) {
          roles.merge(socket.keyId(), reported(provider.role()), ProviderRoleWatcher::stronger);
        }
      }
    }
    return roles;
  }

  private static ReportedRole reported(ProviderRole role) {
    return switch (role) {
      case WRITE -> ReportedRole.WRITE;
      case READ -> ReportedRole.READ;
    };
  }

  private static ReportedRole stronger(ReportedRole one, ReportedRole other) {
    return one == ReportedRole.WRITE ? one : other;
  }

  @Override
  public void close() {
    watch.close();
  }
}
