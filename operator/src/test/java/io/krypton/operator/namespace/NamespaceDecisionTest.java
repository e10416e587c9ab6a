// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.krypton.api.Annotations;
import io.krypton.api.Labels;
import io.krypton.operator.namespace.NamespaceDecision.Adoption;
import io.krypton.operator.namespace.NamespaceDecision.AwaitTermination;
import io.krypton.operator.namespace.NamespaceDecision.Conflict;
import io.krypton.operator.namespace.NamespaceDecision.Create;
import io.krypton.operator.namespace.NamespaceDecision.NotAllowed;
import io.krypton.operator.namespace.NamespaceDecision.TakeOver;
import io.krypton.operator.namespace.NamespaceDecision.Use;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NamespaceDecisionTest {
  private static final String TODAY = "2026-01-02T00:00:00Z";
  private static final Owner ME = owner("mine", TODAY);
  private static final String OTHER = "Tenant/team-b/other";

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void the_namespace_decides(
      String rule, @Nullable ObjectMeta namespace, NamespaceDecision expected) {
    // Only the object with this UID lives.
    assertThat(decide(namespace, false, false)).isEqualTo(expected);
  }

  private static NamespaceDecision decide(
      @Nullable ObjectMeta namespace, boolean any, boolean holdsOurRelease) {
    return NamespaceDecision.decide(
        namespace,
        ME,
        (reference, uid) -> uid.equals("living"),
        new Adoption(any, () -> holdsOurRelease));
  }

  @Test
  void a_namespace_of_others_is_used_if_all_are_or_if_it_holds_our_release() {
    for (var others : List.of(named("taken"), owned("dead", OTHER))) {
      assertThat(decide(others, false, false)).isEqualTo(new NotAllowed());
      assertThat(decide(others, true, false)).isEqualTo(new Use(false));
      assertThat(decide(others, false, true)).isEqualTo(new Use(false));
    }
  }

  @Test
  void what_belongs_to_a_living_object_is_never_used() {
    var theirs =
        new ObjectMetaBuilder(owned("living", OTHER))
            .addToLabels(Labels.WORKSPACE, "allowed")
            .build();

    assertThat(decide(theirs, true, true)).isEqualTo(new Conflict(OTHER));
  }

  @Test
  void a_deployment_does_not_live_on_the_cluster_that_it_goes_to() {
    var deployment =
        new Owner(Owner.Kind.KRYPTON_DEPLOYMENT, "team-a", "team-a", "mine", Instant.parse(TODAY));

    assertThat(
            NamespaceDecision.decide(
                named("team-a"),
                deployment,
                (reference, uid) -> false,
                new Adoption(false, () -> false)))
        .isEqualTo(new NotAllowed());
  }

  static Stream<Arguments> the_namespace_decides() {
    return Stream.of(
        Arguments.of("absent", null, new Create()),
        Arguments.of("terminating", terminating(), new AwaitTermination()),
        Arguments.of("made by somebody else", named("taken"), new NotAllowed()),
        Arguments.of("where the owner lives", named("team-a"), new Use(false)),
        Arguments.of("allowed", labelled("allowed"), new Use(false)),
        Arguments.of("forbidden", labelled("forbidden"), new NotAllowed()),
        Arguments.of("ours", owned("mine", ME.reference()), new Use(true)),
        Arguments.of("a living other one's", owned("living", OTHER), new Conflict(OTHER)),
        Arguments.of("a dead other one's", owned("dead", OTHER), new NotAllowed()),
        Arguments.of("our dead namesake's", owned("dead", ME.reference()), new TakeOver()));
  }

  @Test
  void the_older_owner_wins_and_the_uid_breaks_a_tie() {
    var older = owner("z", "2026-01-01T00:00:00Z");
    var twin = owner("a", "2026-01-02T00:00:00Z");

    assertThat(older.isOlderThan(ME)).isTrue();
    assertThat(ME.isOlderThan(older)).isFalse();
    assertThat(twin.isOlderThan(ME)).isTrue();
    assertThat(ME.isOlderThan(ME)).isFalse();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "payments, false",
    "kube-system, true",
    "kube-x, true",
    "default, true",
    "openshift, true",
    "openshift-etcd, true",
    "krypton-operator, true",
    "defaults, false",
    "has.dot, true",
    "-dash, true"
  })
  void some_namespaces_are_never_used(String namespace, boolean refused) {
    assertThat(new ReservedNamespaces(Set.of("krypton-operator")).rejects(namespace))
        .isEqualTo(refused);
  }

  private static Owner owner(String uid, String createdAt) {
    return new Owner(Owner.Kind.TENANT, "team-a", "payments", uid, Instant.parse(createdAt));
  }

  private static ObjectMeta named(String name) {
    return new ObjectMetaBuilder().withName(name).build();
  }

  private static ObjectMeta labelled(String value) {
    return new ObjectMetaBuilder(named("taken")).addToLabels(Labels.WORKSPACE, value).build();
  }

  private static ObjectMeta owned(String uid, String reference) {
    return new ObjectMetaBuilder()
        .withName("taken")
        .addToLabels(Labels.OWNER_UID, uid)
        .addToAnnotations(Annotations.OWNER, reference)
        .build();
  }

  private static ObjectMeta terminating() {
    return new ObjectMetaBuilder(owned("mine", ME.reference()))
        .withDeletionTimestamp("2026-01-03T00:00:00Z")
        .build();
  }
}
