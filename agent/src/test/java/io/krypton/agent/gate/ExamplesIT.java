// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.agent.gate.config.GateFlag;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.config.GateSettingsParser;
import io.krypton.agent.gate.config.GateSettingsParser.Parsed;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What is in the examples is accepted by those it is for. */
@ExtendWith(ControlPlaneExtension.class)
class ExamplesIT {
  private static final Path EXAMPLES = Path.of("../examples/kms-gate");

  private static final String ACCOUNT = "/api/v1/namespaces/kube-system/serviceaccounts/default";

  private final ControlPlane plane;

  ExamplesIT(@Cluster("agent") ControlPlane plane) {
    this.plane = plane;
  }

  @ParameterizedTest
  @ValueSource(strings = {"static-pod.yaml", "native-sidecar.yaml"})
  void a_pod_is_accepted_starts_the_plugin_first_and_needs_no_api_server(String file)
      throws IOException {
    var pod = read(EXAMPLES.resolve(file));
    // Admission wants the account that the controller manager makes for each namespace.
    await().until(() -> plane.admin().get(ACCOUNT).ok());
    var created =
        plane
            .admin()
            .post(
                "/api/v1/namespaces/kube-system/pods?dryRun=All&fieldValidation=Strict",
                pod.toString());
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);

    var init = pod.at("/spec/initContainers");
    assertThat(init.path(0).path("name").asText()).isEqualTo("kms-plugin");
    assertThat(init.path(0).path("restartPolicy").asText()).isEqualTo("Always");
    assertThat(volumeKinds(pod)).isSubsetOf("emptyDir", "hostPath", "name");
    assertThat(pod.toString()).doesNotContain("KeyRef").doesNotContain("serviceAccountName");
    init.valueStream()
        .filter(container -> container.at("/args/0").asText().equals("gate"))
        .forEach(ExamplesIT::assertFlagsAreKnown);
  }

  /** With anchors resolved, as kubelet and kubectl do. */
  private static JsonNode read(Path file) throws IOException {
    var loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
    return new ObjectMapper().valueToTree(loaded);
  }

  private static Set<String> volumeKinds(JsonNode pod) {
    return pod.at("/spec/volumes")
        .valueStream()
        .flatMap(volume -> volume.propertyStream().map(Map.Entry::getKey))
        .collect(Collectors.toSet());
  }

  private static void assertFlagsAreKnown(JsonNode container) {
    var mode = GateMode.valueOf(container.at("/args/1").asText().toUpperCase(Locale.ROOT));
    var flags = new HashMap<String, String>();
    for (var argument : container.path("args")) {
      if (argument.asText().startsWith("--")) {
        var parts = argument.asText().substring(2).split("=", 2);
        flags.put(parts[0], parts[1]);
      }
    }
    assertThat(flags).isNotEmpty();
    assertThat(GateSettingsParser.parse(mode, flags, Map.of())).isInstanceOf(Parsed.Valid.class);
    assertThat(flags.keySet())
        .isSubsetOf(GateFlag.of(mode).stream().map(flag -> flag.flagName()).toList());
  }

  @Test
  void the_settings_are_valid() {
    var parsed =
        GateSettingsParser.parse(
            GateMode.SERVE,
            Map.of(
                "encryption-provider-config",
                "/c",
                "settings",
                EXAMPLES.resolve("settings.yaml").toString()),
            Map.of());
    assertThat(parsed)
        .isInstanceOfSatisfying(
            Parsed.Valid.class,
            valid ->
                assertThat(valid.settings().settingsFile().providers().keySet())
                    .containsExactlyInAnyOrderElementsOf(List.of("archive", "vault")));
  }
}
