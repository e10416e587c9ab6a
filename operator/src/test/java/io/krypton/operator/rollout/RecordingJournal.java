package io.krypton.operator.rollout;

import io.krypton.operator.release.ReleaseName;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what happened. */
final class RecordingJournal implements Journal {
  private final List<Happening> happenings = new CopyOnWriteArrayList<>();

  @Override
  public void begins(Activity activity, ReleaseName release, boolean retry) {}

  @Override
  public void happened(Happening happening) {
    happenings.add(happening);
  }

  @Override
  public void checked(List<UncheckedObject> unchecked) {}

  List<Happening> all() {
    return List.copyOf(happenings);
  }
}
