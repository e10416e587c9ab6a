package io.krypton.operator.tlsprofile;

import java.util.List;
import java.util.Optional;

/**
 * How one pass ended.
 *
 * @param standing what consumers find in the ConfigMap now
 * @param unpatched consumers that could not be given their settings, each with its reason
 */
record PassResult(ProfilePlan plan, Standing standing, List<String> unpatched) {
  PassResult {
    unpatched = List.copyOf(unpatched);
  }

  /** What has become of the publication. */
  sealed interface Standing {
    /** The ConfigMap holds what it should, or what was right before. */
    record Published() implements Standing {}

    /** There is nothing, and the reason is that of the plan. */
    record Nothing() implements Standing {}

    record WriteFailed(String why) implements Standing {}

    /** Somebody else changes it under our hands. */
    record ReadBackMismatch() implements Standing {}
  }

  /** Why it must be tried again soon. */
  Optional<String> unfinished() {
    return switch (standing) {
      case Standing.WriteFailed(var why) -> Optional.of(why);
      case Standing.ReadBackMismatch mismatch ->
          Optional.of("the ConfigMap does not hold what was written to it");
      case Standing.Published published -> unpatchedOrFailed();
      case Standing.Nothing nothing -> unpatchedOrFailed();
    };
  }

  private Optional<String> unpatchedOrFailed() {
    if (plan instanceof ProfilePlan.NoSource(var why)) {
      return Optional.of(why);
    }
    return unpatched.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", unpatched));
  }
}
