package io.krypton.multicluster.cluster.home;

/** Hears where home is; called by one thread at a time. */
@FunctionalInterface
public interface HomeListener {
  /** Use this one from now on; the one before is closed when this returns. */
  void available(HomeConnection home);
}
