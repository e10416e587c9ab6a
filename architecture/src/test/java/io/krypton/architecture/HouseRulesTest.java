// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HouseRulesTest {
  private static final String SAMPLE = "io.krypton.architecture.violating";
  private static final JavaClasses VIOLATING = new ClassFileImporter().importPackages(SAMPLE);

  @Test
  void the_rules_hold_for_themselves() {
    HouseRules.holdFor("io.krypton.architecture");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void a_violating_sample_is_reported(String rule, ArchRule archRule, String expected) {
    var result = archRule.evaluate(VIOLATING);

    assertThat(result.hasViolation()).as(rule).isTrue();
    assertThat(result.getFailureReport().toString()).contains(expected);
  }

  static Stream<Arguments> a_violating_sample_is_reported() {
    return Stream.of(
        Arguments.of("cycle", HouseRules.packagesAreFreeOfCycles(SAMPLE), "Slice cyclea"),
        Arguments.of("static state", HouseRules.noMutableStaticFields(), "Chatty.calls"),
        Arguments.of("prints", HouseRules.onlyEntryPointsEndTheProcessOrPrint(), "System.out"),
        Arguments.of("exits", HouseRules.onlyEntryPointsEndTheProcessOrPrint(), "System.exit"),
        Arguments.of("not null-marked", HouseRules.packagesAreNullMarked(), "violating.cyclea"),
        Arguments.of("empty name", HouseRules.packageNamesSaySomething(), "part 'utils'"),
        Arguments.of("crowded package", HouseRules.packagesAreSmall(), "crowded has 21 types"),
        Arguments.of("exception's name", HouseRules.exceptionsAreCalledExceptions(), "Trouble"),
        Arguments.of("logger's name", HouseRules.loggersAreCalledLog(), "Trouble.LOG"));
  }
}
