package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.client.Failure;

/** What can happen to a cluster. */
sealed interface Signal {
  /** The policy did not accept the kubeconfig. */
  record KubeconfigRefused(String reason) implements Signal {}

  /** GET /version was answered. */
  record Answered() implements Signal {}

  /** GET /version was not answered, or answered with a refusal of the credentials. */
  record Unanswered(Failure failure) implements Signal {}

  /** The cluster answered, but a step of the engagement then failed or ran out of time. */
  record PreparationFailed(Failure failure) implements Signal {}

  /** The cluster answers, but a step of the engagement has to wait for something there. */
  record NotPrepared(Failure failure) implements Signal {}

  /** All steps of the engagement are done. */
  record Prepared() implements Signal {}

  /** The Secret is gone or other. */
  record Withdrawn() implements Signal {}
}
