// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.event.EventReason;
import io.krypton.api.rollout.TargetSelector;
import io.krypton.api.tenantclass.TenantClassSpec.Allowed;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.operator.classes.revision.CentralValues;
import io.krypton.operator.classes.revision.ClassRevision;
import io.krypton.operator.classes.revision.Revisions;
import io.krypton.operator.classes.target.TargetIndex;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.release.RevisionSource.Assignment;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.RevisionSource.SingleRevision;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.target.ObservedOwner;
import io.krypton.operator.release.target.ObservedOwner.ClassChoice;
import io.krypton.operator.release.target.ObservedOwner.Health;
import io.krypton.operator.release.target.ObservedOwner.OwnerKey;
import io.krypton.operator.release.target.ObservedOwner.Place;
import io.krypton.operator.release.target.OwnerSource;
import io.krypton.operator.release.values.ChartValues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PublishedClassesTest {
  private static final ReleaseRevision FLAGS =
      new ReleaseRevision(ChartRef.of("/charts", "web", "1.0.0"), ChartValues.empty());
  private static final ClassRevision ONE = revision(1, "1.1.0");
  private static final ClassRevision TWO = revision(2, "1.2.0");

  private final List<OwnerKey> enqueued = new ArrayList<>();
  private final Set<String> classes = new HashSet<>();
  private final TargetIndex index =
      new TargetIndex(
          new TargetIndex.Clusters() {
            @Override
            public boolean isUp(String cluster) {
              return true;
            }

            @Override
            public Map<String, String> labels(SecretRef secret) {
              return Map.of("name", secret.name());
            }

            @Override
            public boolean areSettled() {
              return true;
            }

            @Override
            public Set<String> kmsDegraded() {
              return Set.of();
            }

            @Override
            public List<String> notSeen() {
              return List.of();
            }
          });
  private final PublishedClasses published = new PublishedClasses(new SingleRevision(FLAGS), index);

  @BeforeEach
  void begin() {
    index.add(
        Owner.Kind.TENANT,
        new OwnerSource() {
          @Override
          public void subscribe(OwnerListener listener) {}

          @Override
          public void enqueue(OwnerKey key) {
            enqueued.add(key);
          }
        });
  }

  private static ClassRevision revision(int number, String version) {
    return ClassRevision.of(
        "gold", number, ChartRef.of("/charts", "web", version), "d", CentralValues.NONE);
  }

  private static ObservedOwner tenant(String name, String className) {
    return new ObservedOwner(
        new Owner(Owner.Kind.TENANT, "tenants", name, "uid-" + name, Instant.EPOCH),
        new Place("west", new SecretRef("krypton", "west"), true),
        Map.of(),
        new ClassChoice(className, null, null),
        false,
        false,
        null,
        Health.UNKNOWN);
  }

  private static ClassAnswers answers(
      String name, Allowed allowed, @Nullable ClassRevision stable) {
    return new ClassAnswers(
        name, allowed, new Revisions(name, List.of(ONE, TWO)), stable, null);
  }

  private Optional<Assignment> answer(String className) {
    return published.revisionFor(() -> tenant("a", className));
  }

  private void publish(@Nullable ClassRevision stable) {
    classes.add("gold");
    published.publish(
        "gold", answers("gold", Allowed.DEFAULT, stable), index.targets("gold"));
  }

  @Test
  void nobody_gets_an_answer_before_it_is_known_which_classes_there_are() {
    assertThat(answer("default")).isEmpty();

    published.classesKnown(classes::contains);

    assertThat(enqueued).containsExactly(tenant("a", "default").key());
    assertThat(answer("default")).contains(new Assignment.Use(FLAGS, null));
  }

  @Test
  void a_class_that_does_not_exist_is_refused_and_flags_answer_for_default() {
    published.classesKnown(PublishedClasses.ClassLookup.NONE);

    assertThat(answer("default")).contains(new Assignment.Use(FLAGS, null));
    assertThat(answer("gold"))
        .hasValueSatisfying(
            it ->
                assertThat(it)
                    .isInstanceOfSatisfying(
                        Assignment.Refuse.class,
                        refused ->
                            assertThat(refused.reason()).isEqualTo(EventReason.CLASS_NOT_FOUND)));
  }

  @Test
  void a_class_that_was_not_decided_about_in_this_term_answers_nobody() {
    published.classesKnown(classes::contains);
    publish(ONE);
    assertThat(answer("gold")).isPresent();

    published.forgetAnswers();

    assertThat(answer("gold")).isEmpty();
  }

  @Test
  void only_those_are_enqueued_whose_answer_is_another_one() {
    published.classesKnown(classes::contains);
    index.onObserved(tenant("a", "gold"));
    publish(ONE);
    assertThat(enqueued).containsExactly(tenant("a", "gold").key());
    enqueued.clear();

    publish(ONE);
    assertThat(enqueued).isEmpty();
    index.onObserved(tenant("b", "gold"));
    publish(ONE);
    assertThat(enqueued).containsExactly(tenant("b", "gold").key());
    publish(TWO);

    assertThat(enqueued).hasSize(3);
  }

  @Test
  void a_cluster_that_the_class_does_not_allow_is_refused() {
    published.classesKnown(classes::contains);
    classes.add("gold");
    var allowed = new Allowed(new TargetSelector(Map.of("name", "east"), List.of()), false, false);
    published.publish("gold", answers("gold", allowed, ONE), List.of());

    assertThat(answer("gold"))
        .hasValueSatisfying(
            it ->
                assertThat(it)
                    .isInstanceOfSatisfying(
                        Assignment.Refuse.class,
                        refused ->
                            assertThat(refused.reason()).isEqualTo(EventReason.CLASS_NOT_ALLOWED)));
  }

  @Test
  void flags_go_on_to_answer_for_default_until_the_object_has_a_revision() {
    published.classesKnown(classes::contains);
    classes.add("default");
    published.publish("default", answers("default", Allowed.DEFAULT, null), List.of());

    assertThat(answer("default")).contains(new Assignment.Use(FLAGS, null));
  }

  @Test
  void whoever_named_a_class_that_is_gone_is_told() {
    published.classesKnown(classes::contains);
    index.onObserved(tenant("a", "gold"));
    publish(ONE);
    enqueued.clear();
    classes.remove("gold");

    published.remove("gold");

    assertThat(enqueued).containsExactly(tenant("a", "gold").key());
  }
}
