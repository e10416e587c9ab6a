// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import static io.krypton.agent.gate.lab.Views.NOW;
import static io.krypton.agent.gate.lab.Views.degraded;
import static io.krypton.agent.gate.lab.Views.failing;
import static io.krypton.agent.gate.lab.Views.fatal;
import static io.krypton.agent.gate.lab.Views.inUse;
import static io.krypton.agent.gate.lab.Views.missing;
import static io.krypton.agent.gate.lab.Views.notProbed;
import static io.krypton.agent.gate.lab.Views.ok;
import static io.krypton.agent.gate.lab.Views.provider;
import static io.krypton.agent.gate.lab.Views.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.agent.gate.lab.Views;
import io.krypton.agent.gate.serve.HealthChecks.GateView;
import io.krypton.agent.gate.status.GateSnapshot;
import io.krypton.base.http.PageResponse;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.rpc.KmsApiVersion;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies to the byte. */
class HealthPagesTest {
  private static final GateSnapshot GOOD = inUse(ok(provider(0, "a")), ok(provider(1, "b")));
  private static final GateSnapshot SECOND_FAILS =
      inUse(ok(provider(0, "a")), failing(provider(1, "b"), missing()));
  private static final GateSnapshot OPTIONAL_FAILS =
      inUse(
          ok(provider(0, "a")),
          failing(provider(1, "b", KmsApiVersion.V2, ProviderRole.READ, false), missing()));
  private static final String MISSING_TEXT =
      "KMS provider \"b\" (kms-provider-1, v2, WRITE, /run/b.sock): WAIT SocketMissing in connect:"
          + " no such file or directory (attempt 7, since 2026-01-02T03:04:05Z); hint: start the"
          + " plugin, and check that its directory is mounted here";

  @Test
  void a_good_page_is_two_letters() {
    assertThat(get(GOOD, "/readyz")).isEqualTo(text(200, "ok").with(HealthPages.VERDICT, "ok"));
    assertThat(get(GOOD, "/healthz").body()).isEqualTo("ok");
    assertThat(get(GOOD, "/livez")).isEqualTo(text(200, "ok"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"verbose", "verbose=", "verbose=false", "a=%zz&verbose=1"})
  void verbose_lists_all_checks_in_order(String query) {
    assertThat(get(GOOD, "/readyz?" + query).body())
        .isEqualTo(
            """
            [+]ping ok
            [+]log ok
            [+]prober ok
            [+]config ok
            [+]kms-provider-0 ok
            [+]kms-provider-1 ok
            [+]shutdown ok
            readyz check passed
            """);
  }

  @Test
  void a_failure_is_verbose_and_withholds_the_reason() {
    assertThat(get(SECOND_FAILS, "/healthz"))
        .isEqualTo(
            text(
                    500,
                    """
                    [+]ping ok
                    [+]log ok
                    [+]prober ok
                    [+]config ok
                    [+]kms-provider-0 ok
                    [-]kms-provider-1 failed: reason withheld
                    healthz check failed
                    """)
                .with(HealthPages.VERDICT, "wait"));
  }

  @Test
  void liveness_does_not_look_at_plugins() {
    assertThat(get(SECOND_FAILS, "/livez?verbose").body())
        .isEqualTo("[+]ping ok\n[+]log ok\n[+]prober ok\nlivez check passed\n");
    assertThat(get(GateSnapshot.EMPTY, "/livez").status()).isEqualTo(200);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "exclude=kms-provider-1 | 200 | [+]kms-provider-0 ok;[+]kms-provider-1 excluded: ok;[+]shutdown ok;readyz check passed;",
        "exclude=kms-providers  | 200 | [+]kms-provider-0 excluded with kms-providers: ok;[+]kms-provider-1 excluded with kms-providers: ok;[+]shutdown ok;readyz check passed;",
        "exclude=kms-provider-1&exclude=kms-providers | 200 | [+]kms-provider-0 excluded with kms-providers: ok;[+]kms-provider-1 excluded: ok;[+]shutdown ok;readyz check passed;",
        "exclude=y&exclude=x    | 500 | [+]kms-provider-0 ok;[-]kms-provider-1 failed: reason withheld;[+]shutdown ok;warn: some health checks cannot be excluded: no matches for \"x\",\"y\";readyz check failed;",
        "exclude=kms-provider-1&exclude= | 200 | [+]kms-provider-0 ok;[+]kms-provider-1 excluded: ok;[+]shutdown ok;warn: some health checks cannot be excluded: no matches for \"\";readyz check passed;",
        "exclude=kms-provider-0,kms-provider-1 | 500 | [+]kms-provider-0 ok;[-]kms-provider-1 failed: reason withheld;[+]shutdown ok;warn: some health checks cannot be excluded: no matches for \"kms-provider-0,kms-provider-1\";readyz check failed;",
      })
  void checks_can_be_excluded(String query, int status, String lines) {
    var response = get(SECOND_FAILS, "/readyz?verbose&" + query);
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.body())
        .isEqualTo(
            "[+]ping ok\n[+]log ok\n[+]prober ok\n[+]config ok\n" + lines.replace(';', '\n'));
  }

  @Test
  void what_is_not_required_does_not_count_but_can_be_asked() {
    assertThat(get(OPTIONAL_FAILS, "/readyz").body()).isEqualTo("ok");
    assertThat(get(OPTIONAL_FAILS, "/readyz?verbose").body())
        .contains("[+]kms-provider-1 not required: ok\n");
    assertThat(get(OPTIONAL_FAILS, "/readyz/kms-providers").body()).isEqualTo("ok");
    assertThat(get(OPTIONAL_FAILS, "/readyz/kms-provider-1").status()).isEqualTo(500);
  }

  @Test
  void a_sub_path_is_one_check() {
    assertThat(get(GOOD, "/readyz/kms-provider-1"))
        .isEqualTo(text(200, "ok").withoutNosniff().with(HealthPages.VERDICT, "ok"));
    assertThat(get(GOOD, "/livez/ping")).isEqualTo(text(200, "ok").withoutNosniff());
    assertThat(get(SECOND_FAILS, "/readyz/kms-provider-1?verbose&exclude=kms-provider-1"))
        .isEqualTo(
            text(500, "internal server error: " + MISSING_TEXT + "\n")
                .with(HealthPages.VERDICT, "wait"));
    assertThat(get(SECOND_FAILS, "/healthz/kms/b").body()).contains(MISSING_TEXT);
    assertThat(get(SECOND_FAILS, "/healthz/kms-provider-0").body()).isEqualTo("ok");
  }

  @Test
  void aggregates_name_each_provider() {
    assertThat(get(SECOND_FAILS, "/readyz/kms-providers").body())
        .isEqualTo("internal server error: kms-provider-1: " + MISSING_TEXT + "\n");
    var both = inUse(notProbed(provider(0, "x y")), notProbed(provider(1, "x y")));
    var texts =
        "[kms-provider-0: KMS provider \"x y\" (kms-provider-0, v2, WRITE, /run/x y.sock): not"
            + " probed yet, kms-provider-1: KMS provider \"x y\" (kms-provider-1, v2, WRITE,"
            + " /run/x y.sock): not probed yet]";
    assertThat(get(both, "/readyz/kms/x%20y").body())
        .isEqualTo("internal server error: " + texts + "\n");
    assertThat(get(inUse(), "/readyz/kms-providers").body()).isEqualTo("ok");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/readyz/",
        "/readyz/ping/",
        "/livez/kms-provider-0",
        "/livez/kms-providers",
        "/readyz/kms-provider-2",
        "/readyz/kms/",
        "/readyz/kms/c",
        "/readyz/kms/a/b",
        "/readyz/kms/%zz",
        "/livez/shutdown",
        "/healthz/shutdown",
        "/Readyz",
        "/readyzz"
      })
  void everything_else_is_not_found(String path) {
    assertThat(get(GOOD, path)).isEqualTo(text(404, "404 page not found\n"));
  }

  @Test
  void reasons_are_for_local_peers() {
    var remote = Views.request("/readyz/kms-provider-1", "", false);
    assertThat(pages(false, false).respond(remote, view(SECOND_FAILS)).body())
        .isEqualTo("internal server error: reason withheld\n");
    assertThat(pages(false, true).respond(remote, view(SECOND_FAILS)).body())
        .contains(MISSING_TEXT);
    var json = Views.request("/readyz", "format=json", false);
    assertThat(pages(false, false).respond(json, view(SECOND_FAILS)).body())
        .contains("\"verdict\":\"wait\"")
        .doesNotContain("SocketMissing");
  }

  @Test
  void an_old_result_counts_for_nothing() {
    var later = NOW.plusSeconds(5);
    assertThat(at(GOOD, later, "/readyz").status()).isEqualTo(200);
    assertThat(at(GOOD, later.plusMillis(1), "/readyz").headers())
        .containsEntry(HealthPages.VERDICT, "wait");
    assertThat(at(GOOD, later.plusSeconds(2), "/readyz/kms-provider-0").body())
        .isEqualTo(
            "internal server error: KMS provider \"a\" (kms-provider-0, v2, WRITE, /run/a.sock):"
                + " stale: last probe finished 7s ago\n");
  }

  @Test
  void its_own_troubles_are_checks_too() {
    var view = new GateView(GOOD.at(NOW), "logging blocked", "prober stands", true);
    var response = pages(false, false).respond(Views.request("/readyz", "", true), view);
    assertThat(response.body())
        .contains("[-]log failed: reason withheld\n")
        .contains("[-]prober failed: reason withheld\n")
        .contains("[-]shutdown failed: reason withheld\n");
    assertThat(GateRequestHandler.proberFault(Duration.ofSeconds(3), Duration.ofSeconds(1)))
        .isEmpty();
    assertThat(GateRequestHandler.proberFault(Duration.ofMillis(3001), Duration.ofSeconds(1)))
        .isEqualTo("prober loop has not advanced for 3s");
  }

  @Test
  void json_tells_all_of_it() throws IOException {
    var gateSnapshot =
        inUse(
            fatal(provider(0, "a"), refused(ProbePhase.ENCRYPT)),
            degraded(
                provider(1, "b", KmsApiVersion.V2, ProviderRole.READ, true),
                refused(ProbePhase.ENCRYPT)));
    var response = get(gateSnapshot, "/readyz?format=json&exclude=ping");
    assertThat(response.headers()).containsEntry("Content-Type", "application/json");
    assertThat(response.status()).isEqualTo(500);
    JsonNode json = new ObjectMapper().readTree(response.body());
    assertThat(json.path("endpoint").asText()).isEqualTo("readyz");
    assertThat(json.path("verdict").asText()).isEqualTo("fatal");
    assertThat(json.at("/config/hash").asText()).isEqualTo("sha256:old");
    assertThat(json.at("/checks/0/excluded").asBoolean()).isTrue();
    assertThat(json.at("/checks/4/group").asText()).isEqualTo("kms-providers");
    assertThat(json.at("/checks/4/provider/reason").asText()).isEqualTo("RpcRefused");
    assertThat(json.at("/checks/5/provider/degraded").asText()).isEqualTo("RpcRefused");
    assertThat(json.at("/checks/5/provider/hint").asText())
        .startsWith("API server cannot read data of b after restart");
  }

  private static PageResponse text(int status, String body) {
    return PageResponse.text(status, body);
  }

  private static HealthPages pages(boolean compat, boolean expose) {
    return new HealthPages(compat, false, expose);
  }

  private static GateView view(GateSnapshot gateSnapshot) {
    return new GateView(gateSnapshot.at(NOW), "", "", false);
  }

  private static PageResponse get(GateSnapshot gateSnapshot, String target) {
    return at(gateSnapshot, NOW, target);
  }

  private static PageResponse at(GateSnapshot gateSnapshot, Duration now, String target) {
    var question = target.indexOf('?');
    var request =
        question < 0
            ? Views.request(target, "", true)
            : Views.request(target.substring(0, question), target.substring(question + 1), true);
    return pages(false, false).respond(request, new GateView(gateSnapshot.at(now), "", "", false));
  }
}
