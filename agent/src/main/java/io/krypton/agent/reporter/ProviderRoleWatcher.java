package io.krypton.agent.reporter;

import io.krypton.agent.reporter.config.ReporterSettings.PluginSocket;
import io.krypton.kms.config.ConfigurationWatcher;
import io.krypton.kms.config.EncryptionConfiguration;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.config.EncryptionConfigurations;
import io.krypton.kms.config.ReadOptions;
import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import io.krypton.kms.config.ReadResult;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the EncryptionConfiguration of the API server and tells what it uses the plugins for. A
 * missing or broken file is a state like any other: no role is known until it can be read.
 */
final class ProviderRoleWatcher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProviderRoleWatcher.class);

  /** Whether the API server would take KMS v1 is the gate's question, not ours. */
  private static final ReadOptions OPTIONS = new ReadOptions(false, KmsV1Policy.ALLOW);

  private final List<PluginSocket> sockets;
  private final Consumer<Map<BigInteger, ProviderRole>> listener;
  private final ConfigurationWatcher watch;

  /** Tells the present roles before it returns, so that the first report can have them. */
  ProviderRoleWatcher(
      Path file,
      List<PluginSocket> sockets,
      Duration poll,
      Consumer<Map<BigInteger, ProviderRole>> listener) {
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
  static Map<BigInteger, ProviderRole> rolesOf(
      List<PluginSocket> sockets, EncryptionConfiguration configuration) {
    var roles = new TreeMap<BigInteger, ProviderRole>();
    for (var socket : sockets) {
      for (var provider : configuration.kmsProviders()) {
        if (provider.address().equals(socket.endpoint().address())) {
          roles.merge(socket.keyId(), provider.role(), ProviderRoleWatcher::stronger);
        }
      }
    }
    return roles;
  }

  private static ProviderRole stronger(ProviderRole one, ProviderRole other) {
    return one == ProviderRole.WRITE ? one : other;
  }

  @Override
  public void close() {
    watch.close();
  }
}
