package io.krypton.operator.values;

import java.util.Set;

/**
 * A value beneath all layers, given only to charts whose own defaults know the key: a chart with a
 * strict schema refuses keys it does not know.
 */
public record BaseValue(String key, Object value) {

  /** For Tenants. */
  public static BaseValue installCrds(boolean install) {
    return new BaseValue("installCRDs", install);
  }

  /** For KryptonDeployments. */
  public static BaseValue oneReplica() {
    return new BaseValue("replicaCount", 1L);
  }

  /** The values Helm gets; fingerprints are taken from {@code layers} alone. */
  public Values beneath(Values layers, Set<String> keysOfTheChart) {
    return layers.has(key) || !keysOfTheChart.contains(key) ? layers : layers.with(key, value);
  }
}
