// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.lab;

import io.krypton.kms.rpc.Endpoint;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A plugin that can be killed: arguments are the path of its socket and of its key file. */
public final class PluginMain {
  private PluginMain() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var settings =
        PluginServer.Settings.of(
            Endpoint.ofAddress(arguments[0]), new KeyFile(Path.of(arguments[1])));
    try (var plugin = PluginServer.start(settings)) {
      System.out.println("serving " + plugin.endpoint().address());
      new CountDownLatch(1).await();
    }
  }
}
