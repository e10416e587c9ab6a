// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(ControlPlaneExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class TenantClassRulesIT {
  /** With everything that a class may say. */
  private static final String FULL =
      """
      metadata: {name: full}
      spec:
        chart:
          {repo: "oci://registry/charts", name: echo, version: 1.4.0, credentialsSecret: a, caSecret: b}
        values: {replicas: 1, image: {tag: null}}
        valuesFrom: [{kind: Secret, name: base}]
        clusterValues:
        - {clusters: {matchLabels: {ring: "0"}}, values: {replicas: 2}}
        allow:
          clusters: {matchExpressions: [{key: ring, operator: In, values: ["0", "1"]}]}
          pinning: true
          downgrade: true
        revisionHistoryLimit: 5
        rollout:
          waves:
          - {name: canary, clusters: {matchLabels: {ring: "0"}}, tenants: {matchLabels: {tier: internal}}}
          - {name: tenth, share: 10%, maxConcurrent: 20, soak: 30m, approval: Required}
          maxConcurrent: 60
          maxFailures: 5%
          maxUnreachable: 3
          progressDeadline: 5m
          onFailure: Rollback
          requireKmsHealthy: true
          newTenants: Target
          windows:
          - {kind: Deny, schedule: "0 18 * * 5", duration: 62h, timeZone: Europe/Berlin}
          - {kind: Allow, schedule: "*/30 8-16 1,15 JAN-JUN MON-FRI", duration: 20m}
      """;

  private final Server server;

  TenantClassRulesIT(@Cluster("api") ControlPlane plane) {
    server = Server.withCrds(plane);
  }

  @BeforeAll
  void storeWhoCanBeChanged() {
    server.create("Tenant", "{metadata: {name: gold}, spec: {className: gold}}").orThrow();
    server.create("Tenant", "{metadata: {name: plain}}").orThrow();
    server.create("KryptonDeployment", "{metadata: {name: plain}, spec: {" + REGION + "}}");
    server
        .create("KryptonDeployment", "{metadata: {name: gold}, spec: {" + REGION + IN_GOLD + "}}")
        .orThrow();
  }

  private static final String REGION = "account: {name: a}, region: {name: r}";
  private static final String IN_GOLD = ", className: gold, pin: 1.3.2";

  @Test
  void everything_that_a_class_may_say_is_stored() {
    var stored = server.tryCreate("TenantClass", "\n" + FULL).orThrow().path("spec");

    var sent = Json.tree(FULL).path("spec");
    assertThat(stored.at("/chart")).isEqualTo(sent.at("/chart"));
    assertThat(stored.at("/values")).isEqualTo(sent.at("/values"));
    assertThat(stored.at("/allow")).isEqualTo(sent.at("/allow"));
    assertThat(stored.at("/rollout/waves")).isEqualTo(sent.at("/rollout/waves"));
    assertThat(stored.at("/rollout/windows/0")).isEqualTo(sent.at("/rollout/windows/0"));
    assertThat(stored.at("/rollout/windows/1/timeZone").asText()).isEqualTo("UTC");
    assertThat(stored.at("/rollout/maxFailures").asText()).isEqualTo("5%");
    assertThat(stored.at("/rollout/maxUnreachable").intValue()).isEqualTo(3);
  }

  @Test
  void what_is_left_out_has_the_documented_defaults() {
    var spec = tryClass("rollout: {}").orThrow().path("spec");

    assertThat(spec)
        .isEqualTo(
            Json.tree(
                """
                chart: {repo: r, name: echo, version: 1.4.0}
                revisionHistoryLimit: 10
                rollout:
                  maxConcurrent: 50
                  maxFailures: 0
                  maxUnreachable: 20%
                  progressDeadline: 10m
                  onFailure: Halt
                  requireKmsHealthy: false
                  newTenants: Stable
                """));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          an exact version             | version: 1.4.0                    |
          a version with v             | version: v1.4.0                   |
          a version before a release   | version: 1.4.0-rc.1+build.7       |
          an https repository          | repo: 'https://charts.example.com/stable/' |
          a registry with a port       | repo: 'oci://registry:5000/charts' |
          a file of the operator       | repo: /charts/echo.tgz            |
          a range                      | version: ^1.4                     | spec.chart.version: Invalid value: "^1.4": must be an exact version such as 1.4.0
          a short version              | version: '1.4'                    | "1.4": must be an exact version such as 1.4.0
          the newest                   | version: latest                   | "latest": must be an exact version such as 1.4.0
          no version                   | version: ''                       | "": must be an exact version such as 1.4.0
          leading zeros                | version: 1.04.0                   | "1.04.0": must be an exact version such as 1.4.0
          a version that is missing    | version: null                     | spec.chart.version: Required value
          another scheme               | repo: 'ftp://charts.example.com'  | spec.chart.repo: Invalid value: "ftp://charts.example.com": must begin with https://, http:// or oci://
          credentials                  | repo: 'https://a:b@charts.example.com' | without credentials (use credentialsSecret)
          no host                      | repo: 'https:///charts'           | name a host
          a query                      | repo: 'https://example.com/?a=b'  | without credentials (use credentialsSecret), '?' and '#'
          no repository                | repo: ''                          | spec.chart.repo
          a name with a slash          | name: a/b                         | spec.chart.name: Invalid value: "a/b": must have letters, digits, '.', '_' and '-' only
          """)
  void a_chart_with(String rule, String field, @Nullable String refusal) {
    var chart = "{repo: r, name: echo, version: 1.4.0}";
    var colon = field.indexOf(':');
    var replaced = chart.replaceAll(field.substring(0, colon) + ": [^,}]+", "FIELD");
    var manifest =
        "{metadata: {name: tried}, spec: {chart: %s}}".formatted(replaced.replace("FIELD", field));

    Server.check(server.tryCreate("TenantClass", manifest), refusal);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no waves                   | rollout: {waves: []}                                    |
          a wave of everything       | rollout: {waves: [{name: all}]}                         |
          a small share              | rollout: {waves: [{name: a, share: 0.01%}]}             |
          all of it as a share       | rollout: {waves: [{name: a, share: 100%}]}              |
          a soak of nothing          | rollout: {waves: [{name: a, soak: 0s}]}                 |
          no failure                 | rollout: {maxFailures: 0}                               |
          all may fail               | rollout: {maxFailures: 100%}                            |
          labels by expressions      | rollout: {waves: [{name: a, tenants: {matchExpressions: [{key: k, operator: Exists}]}}]} |
          two waves of one name      | rollout: {waves: [{name: a}, {name: a}]}                | spec.rollout.waves[1]: Duplicate value: {"name":"a"}
          the last wave's name       | rollout: {waves: [{name: rest}]}                        | spec.rollout.waves[0].name: Invalid value: "rest": must be a DNS label of at most 40 characters and not rest
          a wave in upper case       | rollout: {waves: [{name: Canary}]}                      | "Canary": must be a DNS label
          a wave without a name      | rollout: {waves: [{share: 10%}]}                        | spec.rollout.waves[0].name: Required value
          a share as a number        | rollout: {waves: [{name: a, share: 10}]}                | spec.rollout.waves[0].share
          a share without percent    | rollout: {waves: [{name: a, share: '10'}]}              | spec.rollout.waves[0].share: Invalid value: "10": must be a percentage above 0% and up to 100%
          no share                   | rollout: {waves: [{name: a, share: 0%}]}                | "0%": must be a percentage above 0%
          no share, in full          | rollout: {waves: [{name: a, share: 0.00%}]}             | "0.00%": must be a percentage above 0%
          more than all              | rollout: {waves: [{name: a, share: 101%}]}              | "101%": must be a percentage above 0% and up to 100%
          nobody at once             | rollout: {waves: [{name: a, maxConcurrent: 0}]}         | spec.rollout.waves[0].maxConcurrent
          a soak without a unit      | rollout: {waves: [{name: a, soak: '30'}]}               | spec.rollout.waves[0].soak
          another approval           | rollout: {waves: [{name: a, approval: Maybe}]}          | spec.rollout.waves[0].approval: Unsupported value: "Maybe": supported values: "NotRequired", "Required"
          a negative budget          | rollout: {maxFailures: -1}                              | spec.rollout.maxFailures in body should be greater than or equal to 0
          a budget as a word         | rollout: {maxFailures: few}                             | spec.rollout.maxFailures in body should match '^(100
          too much of a budget       | rollout: {maxUnreachable: 101%}                         | spec.rollout.maxUnreachable: Invalid value: "101%"
          a number as a text         | rollout: {maxFailures: '3'}                             | spec.rollout.maxFailures: Invalid value: "3"
          no time at all             | rollout: {progressDeadline: 0s}                         | spec.rollout.progressDeadline: Invalid value: "0s": must be longer than 0s, such as 10m
          another way of failing     | rollout: {onFailure: Ignore}                            | spec.rollout.onFailure: Unsupported value: "Ignore"
          values with Exists         | rollout: {waves: [{name: a, tenants: {matchExpressions: [{key: k, operator: Exists, values: [x]}]}}]} | values are needed for In and NotIn, and must be left out for Exists
          In without values          | allow: {clusters: {matchExpressions: [{key: k, operator: In}]}} | spec.allow.clusters.matchExpressions[0]: Invalid value: values are needed for In and NotIn
          too long a history         | revisionHistoryLimit: 101                               | spec.revisionHistoryLimit
          values of no cluster       | clusterValues: [{values: {a: 1}}]                       | spec.clusterValues[0].clusters: Required value
          """)
  void a_class_with(String rule, String field, @Nullable String refusal) {
    Server.check(tryClass(field), refusal);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          every five minutes      | kind: Allow, schedule: '*/5 * * * *', duration: 1m      |
          names                   | kind: Deny, schedule: '0 0 * DEC SUN', duration: 24h    |
          a zone of three parts   | kind: Deny, schedule: '0 0 1 1 *', duration: 1h, timeZone: America/Argentina/Salta |
          another kind            | kind: Maybe, schedule: '0 0 1 1 *', duration: 1h        | spec.rollout.windows[0].kind: Unsupported value: "Maybe": supported values: "Allow", "Deny"
          no kind                 | schedule: '0 0 1 1 *', duration: 1h                     | spec.rollout.windows[0].kind: Required value
          four fields             | kind: Deny, schedule: '0 18 * *', duration: 1h          | spec.rollout.windows[0].schedule
          six fields              | kind: Deny, schedule: '0 0 18 * * 5', duration: 1h      | "0 0 18 * * 5": must have five fields
          a word                  | kind: Deny, schedule: '@weekly and so on', duration: 1h | must have five fields: minute, hour, day of month, month, day of week
          no duration             | kind: Deny, schedule: '0 0 1 1 *'                       | spec.rollout.windows[0].duration: Required value
          no time                 | kind: Deny, schedule: '0 0 1 1 *', duration: 0h         | spec.rollout.windows[0].duration: Invalid value: "0h": must be longer than 0s, such as 8h
          a day as a duration     | kind: Deny, schedule: '0 0 1 1 *', duration: 1d         | spec.rollout.windows[0].duration
          an offset               | kind: Deny, schedule: '0 0 1 1 *', duration: 1h, timeZone: '+02:00' | "+02:00": must be a name of the time zone database, such as UTC or Europe/Berlin
          the zone of the server  | kind: Deny, schedule: '0 0 1 1 *', duration: 1h, timeZone: Local | "Local": must be a name of the time zone database
          """)
  void a_window_with(String rule, String window, @Nullable String refusal) {
    Server.check(tryClass("rollout: {windows: [{%s}]}".formatted(window)), refusal);
  }

  @Test
  void twenty_waves_and_windows_are_enough() {
    Server.check(tryClass("rollout: {waves: [%s]}".formatted(waves(20))), null);
    Server.check(
        tryClass("rollout: {waves: [%s]}".formatted(waves(21))), "must have at most 20 items");
  }

  /** The waves are a map to the server; their order must be that of who applies them. */
  @Test
  void waves_are_stored_in_the_order_in_which_they_are_applied() {
    applyWaves("a", "b", "c");
    applyWaves("c", "a", "b");
    applyWaves("c", "new", "b");

    assertThat(server.get("TenantClass", "ordered").at("/spec/rollout/waves"))
        .extracting(wave -> wave.path("name").asText())
        .containsExactly("c", "new", "b");
  }

  private void applyWaves(String... names) {
    var waves = Arrays.stream(names).map("{name: %s}"::formatted).collect(joining(", "));
    server
        .apply(
            "TenantClass",
            "ordered",
            """
            {metadata: {name: ordered}, spec: {
              chart: {repo: r, name: echo, version: 1.4.0}, rollout: {waves: [%s]}}}
            """
                .formatted(waves))
        .orThrow();
  }

  private static String waves(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> "{name: w%d, tenants: {matchLabels: {a: b}}}".formatted(number))
        .collect(joining(", "));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          the usual name  | default |
          the longest     | <50>    |
          too long        | <51>    | metadata.name must be a DNS label of at most 50 characters, such as default
          a dotted one    | a.b     | metadata.name must be a DNS label of at most 50 characters
          """)
  void a_class_called(String rule, String name, @Nullable String refusal) {
    Server.check(
        server.tryCreate(
            "TenantClass",
            "{metadata: {name: %s}, spec: {chart: {repo: r, name: echo, version: 1.4.0}}}"
                .formatted(name)),
        refusal);
  }

  private ApiResponse tryClass(String field) {
    return server.tryCreate(
        "TenantClass",
        "{metadata: {name: tried}, spec: {chart: {repo: r, name: echo, version: 1.4.0}, %s}}"
            .formatted(field));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a class and a pin      | {className: gold, pin: 1.3.2} |
          no exact pin           | {pin: 1.3}                    | spec.pin
          a range as a pin       | {pin: ~1.3.0}                 | spec.pin: Invalid value: "~1.3.0": must be an exact version such as 1.4.0
          an empty class         | {className: ''}               | spec.className
          a class in upper case  | {className: Gold}             | spec.className
          too long a class       | {className: <51>}             | spec.className: Too long
          """)
  void a_tenant_with(String rule, String spec, @Nullable String refusal) {
    Server.check(
        server.tryCreate("Tenant", "{metadata: {name: t}, spec: %s}".formatted(spec)), refusal);
  }

  @ParameterizedTest(name = "{0} of a {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          another class                | Tenant            | gold  | {spec: {className: silver}}  | spec.className is immutable (absent is default)
          no class any more            | Tenant            | gold  | {spec: {className: null}}    | spec.className is immutable
          no spec any more             | Tenant            | gold  | {spec: null}                 | spec.className is immutable
          the same class               | Tenant            | gold  | {spec: {className: gold}}    |
          another pin                  | Tenant            | gold  | {spec: {pin: 1.3.3}}         |
          a class where none was       | Tenant            | plain | {spec: {className: gold}}    | spec.className is immutable (absent is default); create a new object
          default, where none was      | Tenant            | plain | {spec: {className: default}} |
          another class                | KryptonDeployment | gold  | {spec: {className: silver}}  | spec.className is immutable (absent is default)
          no class any more            | KryptonDeployment | gold  | {spec: {className: null}}    | spec.className is immutable
          a class where none was       | KryptonDeployment | plain | {spec: {className: gold}}    | spec.className is immutable
          default, where none was      | KryptonDeployment | plain | {spec: {className: default}} |
          no pin any more              | KryptonDeployment | gold  | {spec: {pin: null}}          |
          """)
  void a_change_to(String rule, String kind, String name, String patch, @Nullable String refusal) {
    Server.check(server.mergePatch(kind, name, patch), refusal);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a rollout             | {cluster: a, chartVersion: 1.4.0, rollout: default-8, wave: canary, state: Soaking} |
          an unknown state      | {cluster: a, state: Perhaps}  | state: Unsupported value
          """)
  void a_release_with(String rule, String release, @Nullable String refusal) {
    Server.check(
        server.tryStatus("Tenant", "plain", "{releases: [%s]}".formatted(release)), refusal);
  }
}
