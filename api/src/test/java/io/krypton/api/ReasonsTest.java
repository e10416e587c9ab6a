// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.chartrollout.ChartRolloutStatus.ChartRolloutReasons;
import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.api.tenantclass.TenantClassStatus.ClassReasons;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReasonsTest {
  static Stream<Field> reasons() {
    return Stream.of(
            RolloutReasons.class,
            TenantReasons.class,
            DeploymentReasons.class,
            ClassReasons.class,
            ChartRolloutReasons.class,
            KmsHealthReasons.class)
        .flatMap(type -> Arrays.stream(type.getFields()));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void a_reason_is_one_word_that_its_constant_spells(Field constant) throws IllegalAccessException {
    var reason = (String) constant.get(null);

    assertThat(reason).matches("[A-Z][A-Za-z]*");
    assertThat(reason.toUpperCase(Locale.ROOT)).isEqualTo(constant.getName().replace("_", ""));
  }

  @ParameterizedTest
  @ValueSource(classes = {TenantReasons.class, DeploymentReasons.class})
  void what_both_kinds_use_is_spelled_once(Class<?> own) {
    assertThat(own.getFields())
        .extracting(Field::getName)
        .doesNotContainAnyElementsOf(
            Arrays.stream(RolloutReasons.class.getFields()).map(Field::getName).toList());
  }
}
