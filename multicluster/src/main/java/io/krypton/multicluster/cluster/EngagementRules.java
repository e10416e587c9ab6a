package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import java.time.Clock;
import java.util.List;

/** What all engagements of a registry have in common. */
record EngagementRules(
    ClientFactory clients,
    ClientSettings clientSettings,
    Pace pace,
    List<EngageStep> steps,
    ClusterListener listener,
    LiveTokens liveTokens,
    ApiServerIdentities identities,
    Clock clock) {

  EngagementRules {
    steps = List.copyOf(steps);
  }
}
