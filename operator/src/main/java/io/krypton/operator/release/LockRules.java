package io.krypton.operator.release;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * From when on a pending revision counts as abandoned by the process that made it.
 *
 * @param isInstanceGone whether it is known of another instance that nothing of it runs any more
 */
public record LockRules(
    String ourInstance, Duration helmTimeout, Predicate<String> isInstanceGone) {
  private static final Duration OTHER_INSTANCE = Duration.ofSeconds(30);
  private static final Duration BEYOND_HELM_TIMEOUT = Duration.ofSeconds(60);

  /** How long somebody else's Helm may hold a release. */
  public Duration patienceWithOthers() {
    return helmTimeout.plus(BEYOND_HELM_TIMEOUT);
  }

  /** Nothing is known of other instances. */
  public LockRules(String ourInstance, Duration helmTimeout) {
    this(ourInstance, helmTimeout, instance -> false);
  }

  /**
   * When a pending revision may be unlocked.
   *
   * @param since when we saw it first, by our own clock; that of the server may differ
   */
  Instant abandonedAt(Revision pending, Instant since) {
    var instance = pending.instance();
    if (instance != null && (ourInstance.equals(instance) || isInstanceGone.test(instance))) {
      return Instant.MIN;
    }
    // Another instance of ours lost its lease or died. Somebody else's Helm may be alive and slow.
    return since.plus(instance == null ? patienceWithOthers() : OTHER_INSTANCE);
  }
}
