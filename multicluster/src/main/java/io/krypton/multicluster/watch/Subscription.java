package io.krypton.multicluster.watch;

/** Ends the reports of a cache to a listener. */
public interface Subscription extends AutoCloseable {
  @Override
  void close();
}
