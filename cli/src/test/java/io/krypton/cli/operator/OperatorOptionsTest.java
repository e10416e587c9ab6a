// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.cli.operator.DiscoveryOptions.HomeOptions;
import io.krypton.multicluster.crd.CrdInstaller.CrdPolicy;
import io.krypton.multicluster.home.HomeSource;
import io.krypton.multicluster.home.SelfClusterSettings.Mode;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.OperatorSettings;
import io.krypton.operator.release.RolloutSettings.DriftMode;
import io.krypton.operator.release.helm.HelmSettings.EngineChoice;
import io.krypton.operator.release.helm.HelmSettings.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class OperatorOptionsTest {
  @Test
  void flags_become_settings() {
    var settings =
        settings(
            Map.of("POD_NAME", "krypton-0", "POD_NAMESPACE", "pods"),
            "--namespace=secrets",
            "--kubeconfig=/host",
            "--watch-kubeconfig-secret=home",
            "--watch-namespaces=a, b",
            "--self-cluster=never",
            "--crd-policy=CreateReplace",
            "--workers=9",
            "--helm-concurrency=8",
            "--helm-concurrency-per-cluster=20",
            "--helm-timeout=7s",
            "--drift-detection=warn",
            "--upgrade-remediation=rollback",
            "--leader-elect=false",
            "--kms-health-clusters=home");

    assertThat(settings.instance()).isEqualTo("krypton-0");
    assertThat(settings.version()).isEqualTo("1.2.3");
    assertThat(settings.home().namespace()).isEqualTo("secrets");
    assertThat(settings.home().podNamespace()).isEqualTo("pods");
    assertThat(settings.home().reserved()).containsExactlyInAnyOrder("secrets", "pods");
    assertThat(settings.home().watchNamespaces()).containsExactlyInAnyOrder("a", "b");
    assertThat(settings.home().host()).isEqualTo(HomeSource.Files.of(Path.of("/host"), null));
    assertThat(settings.home().source())
        .isInstanceOfSatisfying(
            HomeSource.HostSecret.class,
            source -> assertThat(source.secret()).hasToString("secrets/home"));
    assertThat(settings.clusters().selfCluster()).isEqualTo(Mode.NEVER);
    assertThat(settings.clusters().crdPolicy()).isEqualTo(CrdPolicy.CREATE_REPLACE);
    assertThat(settings.clusters().workers().total()).isEqualTo(9);
    assertThat(settings.clusters().workers().perCluster()).isEqualTo(4);
    assertThat(settings.rollout().cli().operations()).isEqualTo(new ConcurrencyLimits(8, 8));
    assertThat(settings.rollout().worker().operations()).isEqualTo(new ConcurrencyLimits(8, 8));
    assertThat(settings.rollout().helm())
        .isEqualTo(new Programs(EngineChoice.AUTO, "helm", "krypton-helm"));
    assertThat(settings.rollout().helmTimeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(settings.rollout().uninstallTimeout()).isNull();
    assertThat(settings.rollout().drift()).isEqualTo(DriftMode.WARN);
    assertThat(settings.rollout().rollbackAfterFailures()).isTrue();
    assertThat(settings.rollout().adoptAnyNamespace()).isFalse();
    assertThat(settings.election().enabled()).isFalse();
    assertThat(settings.kms().homeOnly()).isTrue();
  }

  @Test
  void the_engine_and_its_programs_are_chosen_by_flags() {
    assertThat(
            settings(
                    Map.of(),
                    "--helm-engine=worker",
                    "--helm-worker=/opt/krypton-helm",
                    "--helm-binary=/opt/helm")
                .rollout()
                .helm())
        .isEqualTo(new Programs(EngineChoice.WORKER, "/opt/helm", "/opt/krypton-helm"));
    assertThat(settings(Map.of(), "--helm-engine=cli").rollout().helm().engine())
        .isEqualTo(EngineChoice.CLI);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--kms-discovery-interval=3s", "--kms-look-again=3s"})
  void the_older_name_of_a_flag_still_works(String flag) {
    assertThat(settings(Map.of(), flag).kms().discoveryInterval()).hasSeconds(3);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "--workers=0, --workers=0; use at least 1",
    "--helm-concurrency=0, --helm-concurrency=0; use at least 1",
    "--helm-concurrency-per-cluster=0, --helm-concurrency-per-cluster=0; use at least 1",
    "--leader-elect-retry-period=1m, leader election needs 0 < retry period < renew deadline",
    "--metrics-bind-address=x, --metrics-bind-address x is not an address",
    "--health-probe-bind-address=x, --health-probe-bind-address x is not an address",
    "--chart-values-file=/missing, --chart-values-file /missing cannot be read",
    "--controllers=x, is not known; use *",
    "--chart-repo-username=ann, --chart-repo-username: give --chart-repo-password-file",
  })
  void what_cannot_be_is_refused_with_a_text_for_users(String flag, String message) {
    assertThatThrownBy(() -> settings(Map.of(), flag))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static OperatorSettings settings(Map<String, String> environment, String... flags) {
    var chart = new ChartOptions();
    var home = new HomeOptions();
    var discovery = new DiscoveryOptions();
    var rollout = new RolloutOptions();
    var process = new ProcessOptions();
    var kms = new KmsOptions();
    var tls = new TlsOptions();
    var spec = CommandSpec.create();
    for (var options : new Object[] {chart, home, discovery, rollout, process, kms, tls}) {
      spec.addMixin(options.getClass().getSimpleName(), CommandSpec.forAnnotatedObject(options));
    }
    var parsed = new CommandLine(spec).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(flags);
    return new OperatorOptions(
            chart,
            home,
            discovery,
            rollout,
            process,
            kms,
            tls,
            parsed::hasMatchedOption,
            "1.2.3",
            environment)
        .toSettings();
  }
}
