package io.krypton.multicluster.cluster.client;

import java.net.URI;
import java.util.regex.Pattern;

/**
 * The limits of one cluster. Events have one of their own, as in Kubernetes' own programs: half of
 * what a rollout sends are events, and none of its steps shall wait for them.
 */
record RequestLimits(RateLimit events, RateLimit others) {
  // A server may be behind a path, so only the end is looked at.
  private static final Pattern EVENT = Pattern.compile("/api/v1/namespaces/[^/]+/events(/[^/]+)?$");

  RateLimit of(URI request) {
    return EVENT.matcher(request.getPath()).find() ? events : others;
  }
}
