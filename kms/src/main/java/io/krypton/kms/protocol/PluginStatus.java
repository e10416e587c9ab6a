package io.krypton.kms.protocol;

/**
 * A plugin's answer to Status, or to Version for the v1 API, which knows neither health nor key id:
 * both are empty there.
 */
public record PluginStatus(String version, String healthz, String keyId) {

  /** Leaves the key id out: it may be shown as a hash only. */
  @Override
  public String toString() {
    return "PluginStatus[version=" + version + ", healthz=" + healthz + "]";
  }
}
