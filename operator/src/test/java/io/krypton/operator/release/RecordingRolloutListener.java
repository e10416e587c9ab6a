// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.operator.release.decide.ReleaseName;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what happened. */
final class RecordingRolloutListener implements RolloutListener {
  private final List<RolloutEvent> happenings = new CopyOnWriteArrayList<>();

  @Override
  public void onStepStarted(Activity activity, ReleaseName release, boolean retry) {}

  @Override
  public void onStepEnded() {}

  @Override
  public void onEvent(RolloutEvent rolloutEvent) {
    happenings.add(rolloutEvent);
  }

  @Override
  public void onInspected(List<UncheckedObject> unchecked) {}

  List<RolloutEvent> all() {
    return List.copyOf(happenings);
  }
}
