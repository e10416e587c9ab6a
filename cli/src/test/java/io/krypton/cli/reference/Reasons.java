package io.krypton.cli.reference;

import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Words that are declared as constants of a class. */
final class Reasons {
  private Reasons() {}

  static List<String> of(Class<?> words) {
    return Arrays.stream(words.getFields())
        .map(
            constant -> {
              try {
                return String.valueOf(constant.get(null));
              } catch (IllegalAccessException e) {
                throw new AssertionError(e);
              }
            })
        .toList();
  }

  static List<String> all() {
    return Stream.of(
            RolloutReasons.class,
            TenantReasons.class,
            DeploymentReasons.class,
            KmsHealthReasons.class)
        .flatMap(words -> of(words).stream())
        .distinct()
        .toList();
  }
}
