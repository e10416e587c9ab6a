// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.cli.plan.ManifestDiff.ObjectDiff;
import io.krypton.cli.plan.ReleasePlan.ServerFinding;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.operator.release.inventory.Manifest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ManifestDiffTest {
  private static Manifest manifest(String yaml) {
    return switch (Manifest.parse(yaml)) {
      case Manifest.Parsed.Intact(var manifest) -> manifest;
      case Manifest.Parsed.Unreadable(var reason) -> throw new AssertionError(reason);
    };
  }

  private static List<ObjectDiff> diff(String before, String after, String... secrets) {
    return new ManifestDiff("ws", it -> it.kind().startsWith("Cluster"), Set.of(secrets))
        .between(manifest(before), manifest(after));
  }

  private static String configMap(String name, String message) {
    return """
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: %s}
    data: {message: %s}
    """
        .formatted(name, message);
  }

  private static String secret(String field, String name, String value) {
    return """
    ---
    kind: Secret
    apiVersion: v1
    metadata: {name: s}
    %s: {%s: %s}
    """
        .formatted(field, name, value);
  }

  @Test
  void objects_are_added_removed_and_changed() {
    var diffs =
        diff(
            configMap("a", "hello") + configMap("b", "same") + configMap("c", "gone"),
            configMap("b", "same") + configMap("a", "bye") + configMap("d", "new"));

    assertThat(diffs)
        .extracting(diff -> diff.object() + " " + diff.change())
        .containsExactly(
            "ConfigMap ws/a changed", "ConfigMap ws/c removed", "ConfigMap ws/d added");
    assertThat(diffs.getFirst().lines()).contains("-  message: hello", "+  message: bye");
  }

  @Test
  void an_object_of_the_cluster_is_in_no_namespace() {
    var role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a}\n";

    assertThat(diff("", role).getFirst().object()).isEqualTo("ClusterRole a");
  }

  @Test
  void what_is_the_same_for_several_releases_is_shown_once() {
    var plans =
        Stream.of("acme", "globex", "initech", "umbrella", "hooli")
            .map(ManifestDiffTest::upgrade)
            .toList();

    var lines = PlanText.lines("repo/echo:1.0.0", plans, false);

    assertThat(lines).filteredOn(line -> line.startsWith("+  image")).hasSize(1);
    assertThat(lines)
        .contains(
            "--- edge tenant-acme-edge Deployment acme-ws/tenant-acme-edge-app (now)",
            "same for 4 more: edge tenant default/globex, edge tenant default/initech, edge tenant"
                + " default/umbrella, …");
  }

  @Test
  void what_differs_is_shown_for_each() {
    var other =
        new ObjectDiff("Deployment b-ws/tenant-b-edge-app", "changed", List.of("+  image: x:3"));

    var lines =
        PlanText.lines("c", List.of(upgrade("a"), plan("b", List.of(other), List.of())), false);

    assertThat(lines)
        .contains("+  image: x:2", "+  image: x:3")
        .noneMatch(it -> it.contains("same"));
  }

  @Test
  void remarks_of_the_server_are_told_with_their_object() {
    var refused =
        new ServerFinding("Service a-ws/s", ServerFinding.Kind.REFUSED, "port: Invalid", List.of());
    var differs =
        new ServerFinding(
            "ConfigMap a-ws/c", ServerFinding.Kind.DIFFERS, "", List.of("-  by: hand"));
    var plan = plan("a", List.of(), List.of(refused, differs));

    assertThat(PlanText.lines("c", List.of(plan), false))
        .contains("edge tenant-a-edge Service a-ws/s would be refused: port: Invalid")
        .containsSubsequence(
            "edge tenant-a-edge ConfigMap a-ws/c lives differently (+ as it would be)",
            "-  by: hand");
    assertThat(plan.needsAttention()).isTrue();
    assertThat(plan.document().get("live")).asString().contains("would be refused", "by: hand");
  }

  private static ReleasePlan upgrade(String name) {
    return plan(
        name,
        List.of(
            new ObjectDiff(
                "Deployment %s-ws/tenant-%s-edge-app".formatted(name, name),
                "changed",
                List.of(
                    "   name: tenant-%s-edge-app".formatted(name),
                    "-  image: x:1",
                    "+  image: x:2"))),
        List.of());
  }

  private static ReleasePlan plan(
      String name, List<ObjectDiff> diffs, List<ServerFinding> remarks) {
    return new ReleasePlan(
        "edge",
        "tenant default/" + name,
        "tenant-%s-edge".formatted(name),
        name + "-ws",
        Verdict.UPGRADE,
        "",
        diffs,
        remarks);
  }

  @Test
  void the_order_of_keys_is_no_change() {
    assertThat(
            diff(
                "apiVersion: v1\nkind: X\nmetadata: {name: a, labels: {b: c}}\n",
                "kind: X\nmetadata: {labels: {b: c}, name: a}\napiVersion: v1\n"))
        .isEmpty();
  }

  @Test
  void of_a_secret_only_that_it_changed_is_told() {
    assertThat(
            String.join(
                "\n",
                diff(secret("data", "k", "b2xk"), secret("data", "k", "bmV3")).getFirst().lines()))
        .contains("-  k: (redacted)", "+  k: (redacted and changed)")
        .doesNotContain("b2xk", "bmV3");
    assertThat(
            String.join(
                "\n", diff("", secret("stringData", "password", "hunter22")).getFirst().lines()))
        .contains("+  password: (redacted)")
        .doesNotContain("hunter22");
    assertThat(diff(secret("data", "k", "b2xk"), "").getFirst().lines())
        .contains("-  k: (redacted)");
  }

  @Test
  void values_that_came_from_secrets_show_nowhere() {
    var lines = diff(configMap("a", "hello"), configMap("a", "hunter22"), "hunter22");

    assertThat(lines.getFirst().lines()).contains("+  message: ***");
  }

  @Test
  void the_summary_counts_in_a_fixed_order() {
    var plans = List.of(plan(Verdict.UNCHANGED), plan(Verdict.UPGRADE), plan(Verdict.UNCHANGED));

    assertThat(PlanText.summary(plans))
        .isEqualTo("1 would upgrade, 2 unchanged; this was a look, nothing was changed");
    assertThat(PlanText.summary(List.of())).isEqualTo("no releases are asked for");
  }

  private static ReleasePlan plan(Verdict verdict) {
    return ReleasePlan.of("edge", "tenant default/a", "tenant-a-edge", "a", verdict, "");
  }

  @Test
  void a_diff_has_the_header_that_tools_know() {
    var added =
        new ObjectDiff("ConfigMap ws/a", "added", List.of("@@ -0,0 +1,1 @@", "+kind: ConfigMap"));
    var plan =
        new ReleasePlan(
            "edge",
            "tenant default/a",
            "rel",
            "ws",
            Verdict.INSTALL,
            "",
            List.of(added),
            List.of());

    assertThat(PlanText.lines("repo/echo:1.0.0", List.of(plan), false))
        .containsSubsequence(
            "--- /dev/null", "+++ edge rel ConfigMap ws/a (planned)", "+kind: ConfigMap");
  }

  @Test
  void what_a_cluster_serves_is_read_from_both_forms_of_discovery() throws Exception {
    var json = new JsonMapper();
    var aggregated =
        """
        {"items":[{"metadata":{"name":"apps"},"versions":[
          {"version":"v1","resources":[{"resource":"deployments","scope":"Namespaced",
            "responseKind":{"kind":"Deployment"}}]}]}]}
        """;
    var older = "{\"groups\":[{\"versions\":[{\"groupVersion\":\"apps/v1\"}]}]}";

    assertThat(Capabilities.versions(json.readTree(aggregated)))
        .containsExactly("apps/v1", "apps/v1/Deployment");
    assertThat(Capabilities.kinds(json.readTree(aggregated)))
        .containsExactly(
            Map.entry("apps/v1/Deployment", new Capabilities.Served("deployments", true)));
    assertThat(Capabilities.kinds(json.readTree(older))).isEmpty();
    assertThat(Capabilities.versions(json.readTree(older))).containsExactly("apps/v1");
  }
}
