// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WriterOrderTest {
  private static final Instant BEGUN = Instant.parse("2026-01-01T00:00:00Z");
  private static final int DONE = 200;

  /** Operator a leads, from 10 on b, from 30 on a again. */
  private final WriterOrder order =
      new WriterOrder(
          List.of(lease(0, "a"), lease(5, "a"), lease(30, "a"), lease(10, "b"), lease(20, "b")),
          Set.of("a", "b"));

  @Test
  void one_after_the_other_is_as_it_should_be() {
    assertThat(order.changes()).isEqualTo(2);
    assertThat(order.violations("edge", List.of(write(1, "a"), write(12, "b"), write(31, "a"))))
        .isEmpty();
  }

  @Test
  void a_run_may_end_after_its_term_while_nobody_else_has_begun() {
    assertThat(order.violations("edge", List.of(write(9, "a"), write(14, "a"), write(15, "b"))))
        .isEmpty();
  }

  @Test
  void what_the_holder_wrote_in_an_earlier_term_does_not_count() {
    assertThat(order.violations("edge", List.of(write(9, "a"), write(31, "b"), write(32, "a"))))
        .isEmpty();
  }

  @Test
  void a_write_after_that_of_the_new_holder_is_one_too_many() {
    assertThat(order.violations("edge", List.of(write(9, "a"), write(14, "b"), write(15, "a"))))
        .singleElement()
        .satisfies(it -> assertThat(it).contains("soak-1 on edge", "by a", "after", "by b"));
  }

  @Test
  void what_was_refused_or_read_or_is_about_another_release_does_not_count() {
    assertThat(
            order.violations(
                "edge",
                List.of(
                    write(14, "b"),
                    helm(15, "a", "update", "soak-1", 409),
                    helm(15, "a", "get", "soak-1", DONE),
                    helm(15, "a", "update", "soak-2", DONE))))
        .isEmpty();
  }

  @Test
  void only_helm_is_judged() {
    var ours =
        new AuditRecord(
            "", "patch", "a", "krypton/1", "", "events", "", "soak-1", "x", DONE, at(15));

    assertThat(order.violations("edge", List.of(write(14, "b"), ours))).isEmpty();
  }

  @Test
  void a_lease_that_could_not_be_written_is_not_held() {
    var refused =
        new WriterOrder(
            List.of(lease(0, "a"), lease(10, "b", 409), lease(11, "somebody", DONE)),
            Set.of("a", "b"));

    assertThat(refused.changes()).isZero();
  }

  private static Instant at(int second) {
    return BEGUN.plusSeconds(second);
  }

  private static AuditRecord lease(int second, String user) {
    return lease(second, user, DONE);
  }

  private static AuditRecord lease(int second, String user, int code) {
    return new AuditRecord(
        "",
        "update",
        user,
        "krypton/1",
        "",
        "leases",
        "",
        "bench",
        "krypton-operator",
        code,
        at(second));
  }

  private static AuditRecord write(int second, String user) {
    return helm(second, user, "update", "soak-1", DONE);
  }

  private static AuditRecord helm(
      int second, String user, String verb, String namespace, int code) {
    return new AuditRecord(
        "", verb, user, "Helm/4.3.1", "", "secrets", "", namespace, "v1", code, at(second));
  }
}
