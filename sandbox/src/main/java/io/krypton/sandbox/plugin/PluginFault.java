// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.base.file.AtomicFile;
import io.krypton.base.text.GoDuration;
import io.krypton.kms.rpc.RpcCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a development plugin shall do wrong. */
public sealed interface PluginFault {
  String NO_FAULT = "none";

  /** All is well. */
  record None() implements PluginFault {}

  /** The socket is closed and removed. */
  record Down() implements PluginFault {}

  /** The socket is closed, its file stays. */
  record Refuse() implements PluginFault {}

  /** Connections are accepted, calls are never answered. */
  record Hang() implements PluginFault {}

  /** Every answer comes late. */
  record Slow(Duration delay) implements PluginFault {}

  /** Status says so. */
  record Unhealthy(String healthz) implements PluginFault {}

  /** One of the calls fails. */
  record Failing(Call call, RpcCode code, String text) implements PluginFault {}

  /** Another key with another id, as if this node were configured for another remote KMS. */
  record WrongKey() implements PluginFault {}

  /** Decrypt returns other bytes. */
  record Garbage() implements PluginFault {}

  /** Status names an impossible key id. */
  record BadKeyId(boolean tooLong) implements PluginFault {}

  /** Status names another version. */
  record Version(String version) implements PluginFault {}

  /** The calls of the API. */
  enum Call {
    STATUS,
    ENCRYPT,
    DECRYPT;

    private String value() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads a mode as {@code krypton plugin fault} has it; empty if there is no such mode. */
  static Optional<PluginFault> parse(String mode) {
    var separator = mode.indexOf('=');
    var name = separator < 0 ? mode : mode.substring(0, separator);
    var value = separator < 0 ? "" : mode.substring(separator + 1);
    var bare = separator < 0;
    return switch (name) {
      case NO_FAULT -> only(bare, new None());
      case "down" -> only(bare, new Down());
      case "refuse" -> only(bare, new Refuse());
      case "hang" -> only(bare, new Hang());
      case "wrong-key" -> only(bare, new WrongKey());
      case "garbage" -> only(bare, new Garbage());
      case "slow" -> GoDuration.parse(value).filter(delay -> !delay.isNegative()).map(Slow::new);
      case "unhealthy" -> Optional.of(new Unhealthy(bare ? "unhealthy on demand" : value));
      case "error" -> failing(Call.STATUS, value);
      case "encrypt-error" -> failing(Call.ENCRYPT, value);
      case "decrypt-error" -> failing(Call.DECRYPT, value);
      case "keyid" ->
          only(value.equals("empty") || value.equals("long"), new BadKeyId(value.equals("long")));
      case "version" -> only(!bare, new Version(value));
      default -> Optional.empty();
    };
  }

  private static Optional<PluginFault> only(boolean valid, PluginFault fault) {
    return valid ? Optional.of(fault) : Optional.empty();
  }

  private static Optional<PluginFault> failing(Call call, String value) {
    var parts = value.split(":", 2);
    var text = parts.length > 1 ? parts[1] : call.value() + " fails on demand";
    return Arrays.stream(RpcCode.values())
        .filter(code -> code != RpcCode.OK && code.name().equals(parts[0]))
        .<PluginFault>map(code -> new Failing(call, code, text))
        .findFirst();
  }

  /** One line that tells a running plugin what to do wrong; no file means nothing. */
  record FaultFile(Path path) {

    /** Refuses a mode that there is not. */
    public void write(String mode) throws IOException {
      if (PluginFault.parse(mode).isEmpty()) {
        throw new IOException(
            ("unknown fault \"%s\", use none, down, refuse, hang, slow=<duration>, unhealthy[=text],"
                    + " error=<CODE>[:text], encrypt-error=…, decrypt-error=…, wrong-key, garbage,"
                    + " keyid=empty|long or version=<v>")
                .formatted(mode));
      }
      AtomicFile.replace(path, (mode + "\n").getBytes(UTF_8));
    }

    /** Empty when the file is, as it is for a moment while somebody writes it in place. */
    String read() throws IOException {
      try {
        return Files.readString(path).lines().findFirst().orElse("").strip();
      } catch (NoSuchFileException e) {
        return PluginFault.NO_FAULT;
      }
    }
  }
}
