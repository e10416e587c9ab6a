// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.plan;

import io.krypton.bench.measure.Measurement.Parameters;
import java.time.Duration;

/**
 * How large a soak is. The same settings give the same {@link SoakSchedule}.
 *
 * @param minutes how long there are faults; what comes before and after them takes its own time
 * @param clusters edges, besides home
 * @param tenants how many there are at the beginning, on all edges together
 */
public record SoakSettings(int seed, int minutes, int clusters, int tenants) {
  private static final String SEED = "seed";
  private static final String MINUTES = "minutes";
  private static final String CLUSTERS = "clusters";
  private static final String TENANTS = "tenants";

  public SoakSettings {
    if (minutes < 1 || clusters < 1 || tenants < 1) {
      throw new IllegalArgumentException("minutes, clusters and tenants are at least 1");
    }
  }

  /** From words such as {@code minutes=2}; the defaults are the soak of an hour. */
  public static SoakSettings of(int anySeed, String... words) {
    var parameters =
        Parameters.of(SEED + "=" + anySeed, MINUTES + "=60", CLUSTERS + "=5", TENANTS + "=200")
            .with(Parameters.of(words));
    return new SoakSettings(
        parameters.number(SEED),
        parameters.number(MINUTES),
        parameters.number(CLUSTERS),
        parameters.number(TENANTS));
  }

  /** The words that repeat this soak. */
  public String words() {
    return "seed=%d minutes=%d clusters=%d tenants=%d".formatted(seed, minutes, clusters, tenants);
  }

  public Duration length() {
    return Duration.ofMinutes(minutes);
  }

  /** On which edge a Tenant lives, by its number. */
  public String edgeOf(int tenant) {
    return SoakStep.FaultTarget.edge(tenant % clusters);
  }
}
