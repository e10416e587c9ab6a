// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.wait;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.status.GateStatus;
import io.krypton.agent.gate.status.ProviderJson;
import io.krypton.agent.gate.status.ProviderStatus;
import io.krypton.agent.json.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The termination message of a gate: one line of JSON that fits into the termination log of a
 * container.
 */
public record TerminationMessage(
    String command,
    String verdict,
    int exit,
    Duration elapsed,
    String configurationHash,
    String message,
    List<ProviderStatus> providers) {
  private static final Logger log = LoggerFactory.getLogger(TerminationMessage.class);

  /** About a gate in its present state. */
  public static TerminationMessage of(
      GateSettings settings, GateStatus status, String verdict, int exit, Duration elapsed) {
    return new TerminationMessage(
        settings.mode().command(),
        verdict,
        exit,
        elapsed,
        status.configuration().hash(),
        status.configurationError(),
        status.providers());
  }

  private static final int MAX_BYTES = 4096;
  private static final int MAX_MESSAGE = 1024;

  /** A kubelet provides it; where there is none, nobody wants one in that directory. */
  private static final Path PROVIDED = Path.of("/dev/termination-log");

  public TerminationMessage {
    providers = List.copyOf(providers);
  }

  /** Writes it if that is possible. */
  public void write(Path file) {
    OpenOption[] options =
        file.equals(PROVIDED)
            ? new OpenOption[] {StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING}
            : new OpenOption[] {
              StandardOpenOption.WRITE,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING
            };
    try {
      Files.writeString(file, line(), options);
    } catch (IOException e) {
      log.debug("no termination log: {}", e.getClass().getSimpleName());
    }
  }

  String line() {
    var all = json(providers, ProviderJson::of);
    if (fits(all)) {
      return all + "\n";
    }
    var failing = providers.stream().filter(state -> !state.isOk()).toList();
    var shorter = json(failing, ProviderJson::of);
    var kept = failing.size();
    while (!fits(shorter)) {
      shorter = json(failing.subList(0, kept), ProviderJson::shortened);
      kept--;
    }
    return shorter + "\n";
  }

  private static boolean fits(String json) {
    return json.getBytes(UTF_8).length < MAX_BYTES;
  }

  private String json(List<ProviderStatus> shown, Function<ProviderStatus, ObjectNode> form) {
    var json =
        JsonNodeFactory.instance
            .objectNode()
            .put("v", 1)
            .put("command", command)
            .put("verdict", verdict)
            .put("exit", exit)
            .put("elapsedMs", elapsed.toMillis())
            .put("config", configurationHash)
            .put("message", message.substring(0, Math.min(message.length(), MAX_MESSAGE)));
    var list = json.putArray("providers");
    shown.forEach(state -> list.add(form.apply(state)));
    return JsonTree.write(json.put("omitted", providers.size() - shown.size()));
  }
}
