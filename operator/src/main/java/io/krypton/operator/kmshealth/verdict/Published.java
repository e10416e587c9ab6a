package io.krypton.operator.kmshealth.verdict;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Conditions;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.api.kmshealth.KmsHealthConditions;
import io.krypton.api.kmshealth.NodeHealth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the object says already, by us or by an earlier process. */
public record Published(
    List<Condition> conditions, List<NodeHealth> nodes, @Nullable Convergence convergence) {

  public @Nullable Condition degraded() {
    return Conditions.find(conditions, KmsHealthConditions.KMS_PLUGINS_DEGRADED).orElse(null);
  }

  public @Nullable Condition oldKeys() {
    return Conditions.find(conditions, KmsHealthConditions.KMS_OLD_KEY_UNREADABLE).orElse(null);
  }

  public @Nullable Condition converged() {
    return Conditions.find(conditions, KmsHealthConditions.KMS_KEYS_CONVERGED).orElse(null);
  }
}
