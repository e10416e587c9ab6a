package io.krypton.operator.tenant;

import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.Journal;
import io.krypton.operator.rollout.UncheckedObject;
import io.krypton.operator.rollout.Words;
import java.util.List;

/** Turns what the engine does into events and progress of one Tenant. */
final class TenantJournal implements Journal {
  private final TenantRecord record;

  TenantJournal(TenantRecord record) {
    this.record = record;
  }

  @Override
  public void begins(Activity activity, ReleaseName release, boolean retry) {
    if (activity != Activity.DELETING) {
      record.report(new TenantState.Working(activity));
    }
    if (!retry) {
      TenantEvents.beginning(activity, release.value()).ifPresent(record::announce);
    }
  }

  @Override
  public void checked(List<UncheckedObject> unchecked) {
    record.checked(unchecked);
  }

  @Override
  public void happened(Happening happening) {
    if (happening instanceof Happening.DriftFound drift && drift.repaired()) {
      record.report(new TenantState.Repairing(Words.repair(drift)));
    }
    record.announce(Words.of(happening));
  }
}
