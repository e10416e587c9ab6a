package io.krypton.agent.gate.serve;

import static io.krypton.agent.gate.lab.Views.NOW;
import static io.krypton.agent.gate.lab.Views.failing;
import static io.krypton.agent.gate.lab.Views.finding;
import static io.krypton.agent.gate.lab.Views.inUse;
import static io.krypton.agent.gate.lab.Views.ok;
import static io.krypton.agent.gate.lab.Views.provider;
import static io.krypton.agent.gate.lab.Views.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.gate.snapshot.GateProvider;
import io.krypton.agent.gate.snapshot.KubeStatus;
import io.krypton.agent.gate.snapshot.ProviderView;
import io.krypton.agent.gate.snapshot.Snapshot;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KubeCompatTest {
  private static final KubeStatus GOOD = KubeStatus.GOOD;

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
    var views = new ArrayList<ProviderView>();
    for (var api : apis.isEmpty() ? new String[0] : apis.split(" ")) {
      var version = api.equals("v1") ? KmsApi.V1 : KmsApi.V2;
      views.add(ok(of(views.size(), version)));
    }
    var lines =
        Stream.concat(
                Stream.of("ping", "log"),
                Stream.concat(Stream.of(names.split(" ")), Stream.of("shutdown")))
            .filter(name -> !name.isEmpty())
            .map(name -> "[+]" + name + " ok\n")
            .reduce("", String::concat);
    var reply = get(inUse(views.toArray(ProviderView[]::new)), reload, "/readyz?verbose");
    assertThat(reply.body()).isEqualTo(lines + "readyz check passed\n");
    assertThat(reply.verdict()).isEmpty();
  }

  record Saying(ProviderView view, String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  @ParameterizedTest
  @MethodSource("sayings")
  void failures_are_told_in_its_words(Saying saying) {
    var single = inUse(saying.view());
    var v1 = saying.view().provider().api() == KmsApi.V1;
    var body = get(single, false, v1 ? "/readyz/kms-provider-0" : "/readyz/kms-providers").body();
    assertThat(body)
        .isEqualTo(
            "internal server error: " + (v1 ? "" : "kms-provider-0: ") + saying.text() + "\n");
  }

  static Stream<Saying> sayings() {
    var error = "rpc error: code = FailedPrecondition desc = key disabled";
    var version = finding(Reason.BAD_VERSION, Phase.VERSION, "", "version is \"v3\"");
    var connect = finding(Reason.SOCKET_MISSING, Phase.CONNECT, "ENOENT", "no such file");
    return Stream.of(
        saying(
            KmsApi.V1,
            refused(Phase.ENCRYPT),
            GOOD,
            "failed to perform encrypt section of the healthz check for KMS Provider p, error: "
                + error),
        saying(
            KmsApi.V1,
            refused(Phase.DECRYPT),
            GOOD,
            "failed to perform decrypt section of the healthz check for KMS Provider p, error: "
                + error),
        saying(
            KmsApi.V1,
            connect,
            new KubeStatus("rpc error: code = Unavailable desc = no such file", List.of()),
            "failed to perform encrypt section of the healthz check for KMS Provider p, error: rpc"
                + " error: code = Unavailable desc = no such file"),
        saying(
            KmsApi.V2,
            refused(Phase.STATUS),
            new KubeStatus(error, List.of()),
            "failed to perform status section of the healthz check for KMS Provider p, error: "
                + error),
        saying(
            KmsApi.V2,
            version,
            new KubeStatus("", List.of("expected KMSv2 API version v2, got v3")),
            "kmsv2 Provider p is not healthy, error: expected KMSv2 API version v2, got v3"),
        saying(
            KmsApi.V2,
            version,
            new KubeStatus("", List.of("one", "two")),
            "kmsv2 Provider p is not healthy, error: [one, two]"),
        saying(
            KmsApi.V2,
            refused(Phase.ENCRYPT),
            GOOD,
            "kmsv2 Provider p is not healthy, error: failed to encrypt DEK, error: " + error),
        saying(
            KmsApi.V2,
            finding(Reason.DECRYPT_MISMATCH, Phase.DECRYPT, "", "other bytes"),
            GOOD,
            "kmsv2 Provider p is not healthy, error: DecryptMismatch: other bytes"));
  }

  @Test
  void there_is_nothing_that_kube_apiserver_does_not_have() {
    var snapshot = inUse(ok(of(0, KmsApi.V2)));
    assertThat(get(snapshot, false, "/readyz?format=json").body()).isEqualTo("ok");
    assertThat(get(snapshot, false, "/readyz/kms/p").status()).isEqualTo(404);
    assertThat(get(snapshot, false, "/readyz/kms-provider-0").status()).isEqualTo(404);
    assertThat(get(snapshot, false, "/readyz/config").status()).isEqualTo(404);
    assertThat(get(Snapshot.EMPTY, false, "/readyz").status()).isEqualTo(500);
  }

  @Test
  void what_is_not_required_looks_well() {
    var optional = provider(1, "q", KmsApi.V1, ProviderRole.READ, false);
    var snapshot = inUse(ok(of(0, KmsApi.V1)), failing(optional, refused(Phase.ENCRYPT)));
    assertThat(get(snapshot, false, "/healthz?verbose").body()).contains("[+]kms-provider-1 ok\n");
  }

  private static Saying saying(KmsApi api, Finding finding, KubeStatus kube, String text) {
    return new Saying(failing(of(0, api), finding, kube), text);
  }

  private static GateProvider of(int index, KmsApi api) {
    return provider(index, "p", api, ProviderRole.WRITE, true);
  }

  private static Reply get(Snapshot snapshot, boolean reload, String target) {
    var parts = target.split("\\?", 2);
    return new HealthPages(true, reload, false)
        .answer(
            new HealthPages.Request(parts[0], parts.length > 1 ? parts[1] : null, true),
            new GateView(snapshot.at(NOW), "", "", false));
  }
}
