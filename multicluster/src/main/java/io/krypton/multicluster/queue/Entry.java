package io.krypton.multicluster.queue;

/** A key that is in the queue, and what is known about it; owned by a {@link Schedule}. */
final class Entry {
  enum State {
    DELAYED,
    READY,
    RUNNING
  }

  final WorkKey key;
  final Lane lane;
  final long sequence;
  State state = State.DELAYED;

  /** When it becomes or became due; while running, when it is wanted again. */
  long due;

  /** Somebody asked for the key while it was running. */
  boolean wantedAgain;

  boolean wantedPatiently;

  /** What its present run asks for no longer counts: the key was dropped or forgotten meanwhile. */
  boolean disowned;

  int failures;

  /** Its pause is not its back-off: the last run had nothing to try. */
  boolean postponed;

  Entry(WorkKey key, Lane lane, long sequence, long due) {
    this.key = key;
    this.lane = lane;
    this.sequence = sequence;
    this.due = due;
  }

  boolean isInBackoff() {
    return state == State.DELAYED && failures > 0 && !postponed;
  }

  /** Order of the delayed entries; differences, because the clock's origin is arbitrary. */
  static int earliestFirst(Entry a, Entry b) {
    var byDue = Long.compare(a.due - b.due, 0);
    return byDue != 0 ? byDue : Long.compare(a.sequence, b.sequence);
  }
}
