package io.krypton.multicluster.leader;

/** Hears of the beginning and end of each term, never of two at once. */
public interface LeadershipListener {
  /** Must return soon: renewals wait for it. */
  void startedLeading(Term term);

  /**
   * The term is over. Should return when no work of it runs any more, at the latest after {@link
   * Timings#gap}: until then this process does not stand for election again.
   */
  void stoppedLeading(Term term) throws InterruptedException;
}
