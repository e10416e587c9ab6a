package io.krypton.operator.deployment;

import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.Journal;
import io.krypton.operator.rollout.UncheckedObject;
import io.krypton.operator.rollout.Words;
import java.util.List;

/** Turns what the engine does into events and progress of one deployment. */
final class DeploymentJournal implements Journal {
  private final DeploymentRecord record;

  DeploymentJournal(DeploymentRecord record) {
    this.record = record;
  }

  @Override
  public void begins(Activity activity, ReleaseName release, boolean retry) {
    if (activity != Activity.DELETING) {
      record.report(new DeploymentState.Working(activity));
    }
  }

  @Override
  public void checked(List<UncheckedObject> unchecked) {
    record.checked(unchecked);
  }

  @Override
  public void happened(Happening happening) {
    if (happening instanceof Happening.DriftFound drift && drift.repaired()) {
      record.report(new DeploymentState.Repairing(Words.repair(drift)));
    }
    record.announce(DeploymentEvents.of(happening, record.region(), record.workspace()));
  }
}
