package io.krypton.cli.fleet;

import io.krypton.api.tenant.Tenant;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One cluster of the fleet: what the operator said and what the cluster says, put together; pure.
 *
 * @param version empty if it did not answer
 * @param since creation of its Secret
 */
record ClusterView(
    String name,
    String state,
    String version,
    @Nullable List<Tenant> tenants,
    KmsVerdict kms,
    String message,
    @Nullable Instant since) {

  static ClusterView of(
      String name, @Nullable Instant since, @Nullable ClusterNews news, LiveLook live) {
    return switch (live) {
      case LiveLook.Refused(var reason) ->
          new ClusterView(name, "Rejected", "", null, KmsVerdict.NONE, reason, since);
      case LiveLook.Dead(var message) ->
          new ClusterView(name, "Unreachable", "", null, KmsVerdict.NONE, message, since);
      case LiveLook.NotAsked() ->
          new ClusterView(
              name,
              news == null ? "Unknown" : news.state(),
              "",
              null,
              KmsVerdict.NONE,
              news == null || isWell(news) ? "" : news.message(),
              since);
      case LiveLook.Answered answered ->
          new ClusterView(
              name,
              // Events fade away: without one, that it answers is all there is to say.
              news == null ? "Reachable" : news.state(),
              answered.version(),
              answered.tenants(),
              KmsVerdict.of(answered.kms()),
              news == null || isWell(news)
                  ? answered.gap()
                  : "the operator said: %s; it answers from here".formatted(news.message()),
              since);
    };
  }

  private static boolean isWell(ClusterNews news) {
    return news.state().equals("Engaged");
  }

  @Nullable PhaseCounts phases() {
    return tenants == null ? null : PhaseCounts.of(tenants);
  }

  Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", name);
    document.put("state", state);
    if (!version.isEmpty()) {
      document.put("serverVersion", version);
    }
    if (!message.isEmpty()) {
      document.put("message", message);
    }
    var phases = phases();
    if (phases != null) {
      document.put("tenants", phases.document());
    }
    if (!kms.equals(KmsVerdict.NONE)) {
      document.put("kms", kms.document());
    }
    return document;
  }
}
