// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plugin;

import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.Endpoint.ParsedEndpoint;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginFault.FaultFile;
import io.krypton.sandbox.plugin.PluginServer;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code krypton plugin serve}: runs until a signal ends it. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Serves KMS v2 on a unix socket until it is stopped.",
    footer = "Never for production: its keys lie in a plain file.")
public final class PluginServeCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(PluginServeCommand.class);

  @Option(
      names = "--socket",
      required = true,
      paramLabel = "<url>",
      description = "unix:///<absolute path>, or unix:///@<name> for an abstract socket.")
  private String socket = "";

  @Option(
      names = "--key-file",
      required = true,
      paramLabel = "<file>",
      description = "JSON file with the keys, mode 0600. Made with a first key if it is missing.")
  private Path keyFile = Path.of("");

  @Option(
      names = "--fault-file",
      paramLabel = "<file>",
      description = "File with the fault to inject, see 'krypton plugin fault'.")
  private @Nullable Path faultFile;

  @Option(
      names = "--socket-mode",
      paramLabel = "<octal>",
      defaultValue = "0600",
      converter = SocketModeConverter.class,
      description =
          "Who may connect, for example 0660. An abstract socket has no mode. Default: 0600")
  private Set<PosixFilePermission> socketMode = Set.of();

  @Option(
      names = "--api-version",
      paramLabel = "<version>",
      defaultValue = "v2",
      description = "What Status says: v2 or v2beta1. Default: v2")
  private String apiVersion = "";

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    var settings =
        PluginServer.Settings.of(endpoint(), new KeyFile(keyFile))
            .withVersion(version())
            .withSocketMode(socketMode);
    var plugin =
        PluginServer.start(
            faultFile == null ? settings : settings.withFaultFile(new FaultFile(faultFile)));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(plugin), "stop"));
    var out = spec.commandLine().getOut();
    out.printf("serving %s with key %s%n", socket, settings.keyFile().currentId());
    out.flush();
    new CountDownLatch(1).await();
    return CommandLine.ExitCode.OK;
  }

  private Endpoint endpoint() {
    var refused = Endpoint.rejectionReason(socket);
    if (refused.isEmpty() && Endpoint.parse(socket) instanceof ParsedEndpoint.Accepted(var found)) {
      return found;
    }
    throw new ParameterException(
        spec.commandLine(), "--socket \"%s\": %s".formatted(socket, refused.orElse("not usable")));
  }

  private String version() {
    if (!apiVersion.equals("v2") && !apiVersion.equals("v2beta1")) {
      throw new ParameterException(
          spec.commandLine(),
          "--api-version \"%s\" must be one of v2, v2beta1".formatted(apiVersion));
    }
    return apiVersion;
  }

  private static void stop(PluginServer plugin) {
    try {
      plugin.close();
    } catch (IOException e) {
      log.atWarn().addKeyValue("error", e.getMessage()).log("the socket was not removed");
    }
  }

  /**
   * Reads {@code 0660} or {@code 660} as chmod does; the owner always keeps reading and writing.
   */
  static final class SocketModeConverter implements ITypeConverter<Set<PosixFilePermission>> {
    private static final int OWNER_READ_WRITE = 0600;
    private static final int HIGHEST = 0400;
    private static final String ALL = "rwxrwxrwx";

    @Override
    public Set<PosixFilePermission> convert(String value) {
      if (!value.matches("0?[0-7]{3}")) {
        throw new TypeConversionException(
            "'%s' is not a mode, write for example 0600 or 0660".formatted(value));
      }
      int mode = Integer.parseInt(value, 8);
      if ((mode & OWNER_READ_WRITE) != OWNER_READ_WRITE) {
        throw new TypeConversionException(
            "'%s' locks out the owner, write for example 0600 or 0660".formatted(value));
      }
      var letters = new StringBuilder();
      for (int bit = 0; bit < ALL.length(); bit++) {
        letters.append((mode & (HIGHEST >> bit)) == 0 ? '-' : ALL.charAt(bit));
      }
      return PosixFilePermissions.fromString(letters.toString());
    }
  }
}
