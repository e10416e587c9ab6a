// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.bench.soak.plan.SoakFault.Scope;
import io.krypton.bench.soak.plan.SoakStep.FaultStep;
import io.krypton.bench.soak.plan.SoakStep.FaultTarget;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of schedules, for several seeds in several sizes. */
class SoakScheduleTest {
  static Stream<SoakSettings> settings() {
    var small =
        IntStream.range(0, 10)
            .boxed()
            .flatMap(
                seed ->
                    Stream.of(
                        new SoakSettings(seed, 2, 1, 5),
                        new SoakSettings(seed, 2, 2, 10),
                        new SoakSettings(seed, 5, 3, 30)));
    return Stream.concat(small, Stream.of(SoakSettings.of(21)));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void the_same_settings_give_the_same_schedule(SoakSettings settings) {
    assertThat(SoakSchedule.of(settings)).isEqualTo(SoakSchedule.of(settings));
  }

  @Test
  void another_seed_gives_another_schedule() {
    assertThat(SoakSchedule.of(new SoakSettings(1, 5, 2, 10)))
        .isNotEqualTo(SoakSchedule.of(new SoakSettings(2, 5, 2, 10)));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void every_kind_of_fault_comes(SoakSettings settings) {
    assertThat(SoakSchedule.of(settings).faults())
        .extracting(FaultStep::fault)
        .contains(SoakFault.values());
  }

  @ParameterizedTest
  @MethodSource("settings")
  void all_trouble_ends_in_time(SoakSettings settings) {
    assertThat(SoakSchedule.of(settings).faults())
        .allSatisfy(
            step -> {
              assertThat(step.duration().isNegative()).isFalse();
              assertThat(step.end()).isLessThanOrEqualTo(settings.length());
            });
  }

  @ParameterizedTest
  @MethodSource("settings")
  void faults_of_one_scope_and_target_do_not_overlap(SoakSettings settings) {
    for (var scope : Set.of(Scope.REPLICA, Scope.LINK, Scope.SERVER, Scope.SECRET)) {
      var faults =
          SoakSchedule.of(settings).faults().stream()
              .filter(step -> step.fault().scope() == scope)
              .toList();
      for (var one : faults) {
        assertThat(faults)
            .filteredOn(other -> !other.equals(one) && one.target().overlaps(other.target()))
            .allMatch(
                other ->
                    other.at().compareTo(one.end()) > 0 || one.at().compareTo(other.end()) > 0);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void some_edge_is_open_most_of_the_time(SoakSettings settings) {
    var faults = SoakSchedule.of(settings).faults();
    var closed =
        IntStream.range(0, (int) settings.length().toSeconds())
            .mapToObj(Duration::ofSeconds)
            .map(now -> closedEdges(faults, now))
            .toList();

    assertThat(closed)
        .allMatch(it -> it.size() <= Math.max(1, settings.clusters() / 2))
        .anyMatch(Collection::isEmpty);
  }

  private static Set<String> closedEdges(List<FaultStep> faults, Duration now) {
    return faults.stream()
        .filter(it -> it.at().compareTo(now) <= 0 && it.end().compareTo(now) > 0)
        .map(FaultStep::target)
        .filter(FaultTarget::closesPlace)
        .map(FaultTarget::place)
        .filter(it -> !it.equals(FaultTarget.HOME))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @MethodSource("settings")
  void the_survivor_is_ended_in_the_first_third_only(SoakSettings settings) {
    assertThat(SoakSchedule.of(settings).faults())
        .filteredOn(it -> Set.of(SoakFault.KILL, SoakFault.TERMINATE).contains(it.fault()))
        .filteredOn(it -> it.target().replica().equals(SoakSchedule.SURVIVOR))
        .allMatch(it -> it.at().compareTo(settings.length().dividedBy(3)) < 0);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void nobody_edits_what_is_not_there(SoakSettings settings) {
    var living = new HashSet<Integer>();
    for (var step : SoakSchedule.of(settings).edits()) {
      if (step.edit() == TenantEdit.CREATE) {
        assertThat(living.add(step.tenant())).as("%s is new", step).isTrue();
      } else {
        assertThat(living).as("%s", step).contains(step.tenant());
      }
      if (step.edit() == TenantEdit.DELETE) {
        living.remove(step.tenant());
      }
    }
    assertThat(living).hasSizeGreaterThanOrEqualTo(settings.tenants() / 2);
  }

  @Test
  void an_hour_has_every_kind_of_edit_and_hundreds_of_faults() {
    var schedule = SoakSchedule.of(new SoakSettings(7, 60, 5, 200));

    assertThat(schedule.edits()).extracting(it -> it.edit()).contains(TenantEdit.values());
    assertThat(schedule.edits()).hasSizeGreaterThan(2000);
    assertThat(schedule.faults()).hasSizeGreaterThan(300);
    assertThat(schedule.steps()).hasSize(schedule.edits().size() + schedule.faults().size());
  }

  @Test
  void words_repeat_a_soak() {
    var settings = SoakSettings.of(17, "minutes=2", "tenants=10");

    assertThat(settings).isEqualTo(new SoakSettings(17, 2, 5, 10));
    assertThat(SoakSettings.of(99, settings.words().split(" "))).isEqualTo(settings);
    assertThat(SoakSettings.of(3)).isEqualTo(new SoakSettings(3, 60, 5, 200));
    assertThatThrownBy(() -> SoakSettings.of(3, "hours=1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hours");
  }
}
