// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import io.krypton.kms.rpc.Endpoint;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginFault.FaultFile;
import io.krypton.sandbox.plugin.PluginServer;
import java.nio.file.Path;

/**
 * Where the KMS plugin of one control plane has its socket, its keys and its faults.
 *
 * @param directory short enough for a socket's address, which holds 107 bytes
 */
public record KmsPluginFiles(Path directory) {
  public static final String PROVIDER = "krypton-dev";

  public Path socket() {
    return directory.resolve("kms.sock");
  }

  public Path keys() {
    return directory.resolve("keys.json");
  }

  public Path fault() {
    return directory.resolve("fault");
  }

  public PluginServer.Settings settings() {
    return PluginServer.Settings.of(Endpoint.ofAddress(socket().toString()), new KeyFile(keys()))
        .withFaultFile(new FaultFile(fault()));
  }

  /** Secrets are encrypted by the plugin; what was stored before stays readable. */
  public String encryptionConfiguration() {
    return """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: [secrets]
          providers:
          - kms:
              apiVersion: v2
              name: %s
              endpoint: unix://%s
              timeout: 3s
          - identity: {}
        """
        .formatted(PROVIDER, socket());
  }
}
