package io.krypton.kms.probe;

/** Hears of every result, on the loop of the prober: it must not block. */
public interface ProbeListener<J> {

  /** The state of a plugin after a result, which is its last Status or its last round trip. */
  void onResult(PluginState<J> state, ProbeResult result);

  /** Every plugin has brought a Status result since this tick began. */
  default void onTick(long number) {}
}
