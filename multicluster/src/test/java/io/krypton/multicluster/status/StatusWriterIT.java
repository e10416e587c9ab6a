// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.krypton.multicluster.status.StatusWriter.DesiredStatus;
import io.krypton.multicluster.status.StatusWriter.StatusResult;
import io.krypton.multicluster.testing.TestClient;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.AuditTrail;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class StatusWriterIT {
  private ControlPlane plane;
  private KubernetesClient client;
  private StatusWriter<Widget> writer;
  private String namespace;
  private Widget widget;

  @BeforeAll
  static void define(@Cluster("home") ControlPlane home) {
    home.admin()
        .apply(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.test.example.com",
            "test",
            Widget.DEFINITION)
        .orThrow();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> home.admin().get("/apis/test.example.com/v1/widgets").status() == 200);
  }

  @BeforeEach
  void open(@Cluster("home") ControlPlane home, @Cluster("home") TestNamespace own) {
    plane = home;
    namespace = own.name();
    client = TestClient.of(plane.adminKubeconfig());
    writer = new StatusWriter<>(client, "writer-a");
    var fresh = new Widget();
    fresh.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName("one").build());
    fresh.setSpec(new Widget.Spec(1));
    widget = client.resource(fresh).create();
  }

  @AfterEach
  void close() {
    client.close();
  }

  private Resource<Widget> stored() {
    return client.resources(Widget.class).inNamespace(namespace).withName("one");
  }

  private static Condition condition(String type, String status) {
    return new ConditionBuilder().withType(type).withStatus(status).withReason("Tested").build();
  }

  private static Widget with(Widget.Status status) {
    var fresh = new Widget();
    fresh.setStatus(status);
    return fresh;
  }

  private static DesiredStatus<Widget> conditions(@Nullable String phase, Condition... wanted) {
    return live -> {
      var timed = Stream.of(wanted).map(condition -> withTransitionTime(condition, live)).toList();
      return with(new Widget.Status(phase, null, timed, null));
    };
  }

  /** That of the live condition of the same type and status, otherwise now. */
  private static Condition withTransitionTime(Condition wanted, Widget live) {
    var before =
        live.getStatus() == null || live.getStatus().conditions() == null
            ? List.<Condition>of()
            : live.getStatus().conditions();
    var since =
        before.stream()
            .filter(condition -> condition.getType().equals(wanted.getType()))
            .filter(condition -> condition.getStatus().equals(wanted.getStatus()))
            .map(Condition::getLastTransitionTime)
            .findFirst()
            .orElseGet(() -> Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return new ConditionBuilder(wanted).withLastTransitionTime(since).build();
  }

  private List<String> storedConditions() {
    return Objects.requireNonNull(stored().get().getStatus().conditions()).stream()
        .map(condition -> condition.getType() + "=" + condition.getStatus())
        .sorted()
        .toList();
  }

  private AuditTrail requestsDuring(Runnable work) {
    var mark = plane.audit().mark();
    work.run();
    return plane.audit().since(mark).inNamespace(namespace).on("widgets");
  }

  @Test
  void a_new_status_is_one_request_and_the_same_again_is_none() {
    var desiredStatus = conditions("Ready", condition("Ready", "True"));
    var first =
        requestsDuring(
            () ->
                assertThat(writer.write(widget, desiredStatus))
                    .isInstanceOf(StatusResult.Written.class));
    assertThat(first.perVerb()).hasToString("{patch=1}");
    var live = stored().get();
    var again =
        requestsDuring(
            () ->
                assertThat(writer.write(live, desiredStatus))
                    .isInstanceOf(StatusResult.Unchanged.class));
    assertThat(again.size()).isZero();
    assertThat(live.getStatus().phase()).isEqualTo("Ready");
  }

  @Test
  void a_new_process_does_not_write_what_is_there_already() {
    var desiredStatus = conditions("Ready", condition("Ready", "True"));
    writer.write(widget, desiredStatus);
    var restarted = new StatusWriter<Widget>(client, "writer-a");
    assertThat(restarted.write(stored().get(), desiredStatus))
        .isInstanceOf(StatusResult.Unchanged.class);
  }

  @Test
  void two_writers_keep_each_others_conditions() {
    var other = new StatusWriter<Widget>(client, "writer-b");
    writer.write(widget, conditions(null, condition("Ready/a", "True")));
    other.write(stored().get(), conditions(null, condition("Ready/b", "False")));
    writer.write(stored().get(), conditions(null, condition("Ready/a", "False")));
    assertThat(storedConditions()).containsExactly("Ready/a=False", "Ready/b=False");
  }

  @Test
  void a_condition_that_is_no_longer_wanted_goes_and_foreign_ones_stay() {
    var other = new StatusWriter<Widget>(client, "writer-b");
    writer.write(widget, conditions("Ready", condition("Ready", "True"), condition("Odd", "True")));
    other.write(stored().get(), conditions(null, condition("Foreign", "True")));
    assertThat(writer.write(stored().get(), conditions("Ready", condition("Ready", "True"))))
        .isInstanceOf(StatusResult.Written.class);
    assertThat(storedConditions()).containsExactly("Foreign=True", "Ready=True");
  }

  @Test
  void a_list_that_is_ours_as_a_whole_shrinks() {
    DesiredStatus<Widget> two =
        live -> with(new Widget.Status(null, List.of("a", "b"), null, null));
    DesiredStatus<Widget> one = live -> with(new Widget.Status(null, List.of("b"), null, null));
    writer.write(widget, two);
    writer.write(stored().get(), one);
    assertThat(stored().get().getStatus().targets()).containsExactly("b");
  }

  @Test
  void after_a_conflict_the_object_is_read_again_and_the_decision_made_anew() {
    stored().edit(StatusWriterIT::grown);
    var seen = new ArrayList<Integer>();
    var result =
        writer.write(
            widget,
            live -> {
              seen.add(live.getSpec().size());
              return conditions("Ready", condition("Ready", "True")).from(live);
            });
    assertThat(result).isInstanceOf(StatusResult.Written.class);
    assertThat(seen).containsExactly(1, 2);
  }

  private static Widget grown(Widget widget) {
    var size = Objects.requireNonNull(widget.getSpec().size());
    widget.setSpec(new Widget.Spec(size + 1));
    return widget;
  }

  @Test
  void an_object_that_never_stands_still_ends_in_a_conflict_after_three_tries() {
    DesiredStatus<Widget> late =
        live -> {
          stored().edit(StatusWriterIT::grown);
          return with(new Widget.Status("Ready", null, null, null));
        };
    assertThat(writer.write(widget, late)).isEqualTo(new StatusResult.Conflict<>(3));
    assertThat(stored().get().getStatus()).isNull();
  }

  @Test
  void a_deleted_object_and_a_new_one_of_the_same_name_are_gone_alike() {
    stored().delete();
    var desiredStatus = conditions("Ready", condition("Ready", "True"));
    assertThat(writer.write(widget, desiredStatus)).isEqualTo(new StatusResult.Gone<>());
    var reborn = new Widget();
    reborn.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName("one").build());
    client.resource(reborn).create();
    assertThat(writer.write(widget, desiredStatus)).isEqualTo(new StatusResult.Gone<>());
    assertThat(stored().get().getStatus()).isNull();
  }

  @Test
  void a_status_that_the_schema_forbids_is_refused_with_the_servers_words() {
    var result = writer.write(widget, live -> with(new Widget.Status("Purple", null, null, null)));
    assertThat(result)
        .isInstanceOfSatisfying(
            StatusResult.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(422);
              assertThat(refused.message()).contains("Purple");
            });
  }

  @Test
  void a_field_that_the_served_schema_does_not_know_is_left_out_and_costs_no_further_request() {
    DesiredStatus<Widget> modern =
        live -> with(new Widget.Status("Ready", null, null, "brand new"));
    assertThat(writer.write(widget, modern)).isInstanceOf(StatusResult.Written.class);
    assertThat(stored().get().getStatus()).isEqualTo(new Widget.Status("Ready", null, null, null));
    var live = stored().get();
    var again =
        requestsDuring(
            () ->
                assertThat(writer.write(live, modern)).isInstanceOf(StatusResult.Unchanged.class));
    assertThat(again.size()).isZero();
  }
}
