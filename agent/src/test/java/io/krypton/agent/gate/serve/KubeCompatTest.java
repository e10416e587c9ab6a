// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import static io.krypton.agent.gate.lab.Views.NOW;
import static io.krypton.agent.gate.lab.Views.failing;
import static io.krypton.agent.gate.lab.Views.finding;
import static io.krypton.agent.gate.lab.Views.inUse;
import static io.krypton.agent.gate.lab.Views.ok;
import static io.krypton.agent.gate.lab.Views.provider;
import static io.krypton.agent.gate.lab.Views.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.gate.lab.Views;
import io.krypton.agent.gate.serve.HealthChecks.GateView;
import io.krypton.agent.gate.status.GateProvider;
import io.krypton.agent.gate.status.GateSnapshot;
import io.krypton.agent.gate.status.GateSnapshot.ProviderSnapshot;
import io.krypton.agent.gate.status.KubeStatus;
import io.krypton.base.http.PageResponse;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.Reason;
import io.krypton.kms.rpc.KmsApiVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KubeCompatTest {
  private static final KubeStatus GOOD = KubeStatus.OK;

  @ParameterizedTest(name = "{0} reload {1}")
  @CsvSource({
    "'', false, ''",
    "'', true, kms-providers",
    "v2, false, kms-providers",
    "v2 v2, false, kms-providers",
    "v2 v2, true, kms-providers",
    "v1, false, kms-provider-0",
    "v1, true, kms-providers",
    "v2 v1, false, kms-provider-0 kms-provider-1",
    "v2 v1, true, kms-providers",
  })
  void checks_have_the_names_of_kube_apiserver(String apis, boolean reload, String names) {
    var views = new ArrayList<ProviderSnapshot>();
    for (var api : apis.isEmpty() ? new String[0] : apis.split(" ")) {
      var version = api.equals("v1") ? KmsApiVersion.V1 : KmsApiVersion.V2;
      views.add(ok(of(views.size(), version)));
    }
    var lines =
        Stream.concat(
                Stream.of("ping", "log"),
                Stream.concat(Stream.of(names.split(" ")), Stream.of("shutdown")))
            .filter(name -> !name.isEmpty())
            .map(name -> "[+]" + name + " ok\n")
            .reduce("", String::concat);
    var response = get(inUse(views.toArray(ProviderSnapshot[]::new)), reload, "/readyz?verbose");
    assertThat(response.body()).isEqualTo(lines + "readyz check passed\n");
    assertThat(response.headers()).doesNotContainKey(HealthPages.VERDICT);
  }

  record Saying(ProviderSnapshot view, String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  @ParameterizedTest
  @MethodSource("sayings")
  void failures_are_told_in_its_words(Saying saying) {
    var single = inUse(saying.view());
    var v1 = saying.view().provider().api() == KmsApiVersion.V1;
    var body = get(single, false, v1 ? "/readyz/kms-provider-0" : "/readyz/kms-providers").body();
    assertThat(body)
        .isEqualTo(
            "internal server error: " + (v1 ? "" : "kms-provider-0: ") + saying.text() + "\n");
  }

  static Stream<Saying> sayings() {
    var error = "rpc error: code = FailedPrecondition desc = key disabled";
    var version = finding(Reason.BAD_VERSION, ProbePhase.VERSION, "", "version is \"v3\"");
    var connect = finding(Reason.SOCKET_MISSING, ProbePhase.CONNECT, "ENOENT", "no such file");
    return Stream.of(
        saying(
            KmsApiVersion.V1,
            refused(ProbePhase.ENCRYPT),
            GOOD,
            "failed to perform encrypt section of the healthz check for KMS Provider p, error: "
                + error),
        saying(
            KmsApiVersion.V1,
            refused(ProbePhase.DECRYPT),
            GOOD,
            "failed to perform decrypt section of the healthz check for KMS Provider p, error: "
                + error),
        saying(
            KmsApiVersion.V1,
            connect,
            new KubeStatus("rpc error: code = Unavailable desc = no such file", List.of()),
            "failed to perform encrypt section of the healthz check for KMS Provider p, error: rpc"
                + " error: code = Unavailable desc = no such file"),
        saying(
            KmsApiVersion.V2,
            refused(ProbePhase.STATUS),
            new KubeStatus(error, List.of()),
            "failed to perform status section of the healthz check for KMS Provider p, error: "
                + error),
        saying(
            KmsApiVersion.V2,
            version,
            new KubeStatus("", List.of("expected KMSv2 API version v2, got v3")),
            "kmsv2 Provider p is not healthy, error: expected KMSv2 API version v2, got v3"),
        saying(
            KmsApiVersion.V2,
            version,
            new KubeStatus("", List.of("one", "two")),
            "kmsv2 Provider p is not healthy, error: [one, two]"),
        saying(
            KmsApiVersion.V2,
            refused(ProbePhase.ENCRYPT),
            GOOD,
            "kmsv2 Provider p is not healthy, error: failed to encrypt DEK, error: " + error),
        saying(
            KmsApiVersion.V2,
            finding(Reason.DECRYPT_MISMATCH, ProbePhase.DECRYPT, "", "other bytes"),
            GOOD,
            "kmsv2 Provider p is not healthy, error: DecryptMismatch: other bytes"));
  }

  @Test
  void there_is_nothing_that_kube_apiserver_does_not_have() {
    var gateSnapshot = inUse(ok(of(0, KmsApiVersion.V2)));
    assertThat(get(gateSnapshot, false, "/readyz?format=json").body()).isEqualTo("ok");
    assertThat(get(gateSnapshot, false, "/readyz/kms/p").status()).isEqualTo(404);
    assertThat(get(gateSnapshot, false, "/readyz/kms-provider-0").status()).isEqualTo(404);
    assertThat(get(gateSnapshot, false, "/readyz/config").status()).isEqualTo(404);
    assertThat(get(GateSnapshot.EMPTY, false, "/readyz").status()).isEqualTo(500);
  }

  @Test
  void what_is_not_required_looks_well() {
    var optional = provider(1, "q", KmsApiVersion.V1, ProviderRole.READ, false);
    var gateSnapshot =
        inUse(ok(of(0, KmsApiVersion.V1)), failing(optional, refused(ProbePhase.ENCRYPT)));
    assertThat(get(gateSnapshot, false, "/healthz?verbose").body())
        .contains("[+]kms-provider-1 ok\n");
  }

  private static Saying saying(
      KmsApiVersion api, ProbeFinding probeFinding, KubeStatus kube, String text) {
    return new Saying(failing(of(0, api), probeFinding, kube), text);
  }

  private static GateProvider of(int index, KmsApiVersion api) {
    return provider(index, "p", api, ProviderRole.WRITE, true);
  }

  private static PageResponse get(GateSnapshot gateSnapshot, boolean reload, String target) {
    var parts = target.split("\\?", 2);
    return new HealthPages(true, reload, false)
        .respond(
            Views.request(parts[0], parts.length > 1 ? parts[1] : "", true),
            new GateView(gateSnapshot.at(NOW), "", "", false));
  }
}
