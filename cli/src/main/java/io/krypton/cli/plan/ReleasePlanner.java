package io.krypton.cli.plan;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.cli.plan.ManifestDiff.ObjectDiff;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.cli.view.UserError;
import io.krypton.operator.helm.ChartRenderer;
import io.krypton.operator.helm.ChartRenderer.Rendered;
import io.krypton.operator.manifest.Manifest;
import io.krypton.operator.release.LockRules;
import io.krypton.operator.release.Observed;
import io.krypton.operator.release.ReleaseDecision;
import io.krypton.operator.release.ReleaseDecision.Cause;
import io.krypton.operator.release.ReleaseHistory;
import io.krypton.operator.release.ReleaseSecret;
import io.krypton.operator.release.Revision;
import io.krypton.operator.release.StoredRelease;
import io.krypton.operator.release.Wanted;
import io.krypton.operator.release.WhatNext;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks the operator's own decision about releases of one cluster, and renders what it would do. */
final class ReleasePlanner {
  /** Nothing we see was made by us, and how long somebody's Helm may take does not matter here. */
  private static final LockRules LOCKS = new LockRules("plan", Duration.ofMinutes(3));

  private final KubernetesClient client;
  private final Capabilities capabilities;
  private final PlannedChart chart;
  private final ChartRenderer renderer;
  private final boolean withDiff;

  ReleasePlanner(
      KubernetesClient client,
      Capabilities capabilities,
      PlannedChart chart,
      ChartRenderer renderer,
      boolean withDiff) {
    this.client = client;
    this.capabilities = capabilities;
    this.chart = chart;
    this.renderer = renderer;
    this.withDiff = withDiff;
  }

  ReleasePlan plan(WantedRelease release, ReleaseHistory history) {
    var decision =
        WhatNext.whatNext(
            new Observed(history, true, release.annotated(), 0, Instant.now(), false, false),
            new Wanted(chart.fingerprint(release.values()), false, false),
            LOCKS,
            Instant.now());
    return switch (decision) {
      case ReleaseDecision.UpToDate upToDate ->
          withDiff ? unchanged(release, lastGood(history)) : told(release, Verdict.UNCHANGED, "");
      case ReleaseDecision.Install(var missing) ->
          changed(release, Verdict.INSTALL, missing ? "the release is gone" : "", null);
      case ReleaseDecision.InstallOverHistory over ->
          changed(release, Verdict.INSTALL, "only its history is left", null);
      case ReleaseDecision.Reinstall reinstall ->
          changed(release, Verdict.REINSTALL, "its install failed", null);
      case ReleaseDecision.Upgrade(var cause) ->
          changed(release, Verdict.UPGRADE, why(cause), lastGood(history));
      case ReleaseDecision.Wait wait -> locked(release);
      case ReleaseDecision.UnlockByRollback rollback -> locked(release);
      case ReleaseDecision.UnlockByUninstall uninstall -> locked(release);
      case ReleaseDecision.Confirm confirm ->
          throw new IllegalStateException("the history was read just now");
    };
  }

  private static String why(Cause cause) {
    return switch (cause) {
      case CHANGED -> "";
      case FORCED -> "it was asked for";
      case DRIFTED -> "objects differ";
      case FAILED_BEFORE -> "its last upgrade failed";
    };
  }

  private static ReleasePlan locked(WantedRelease release) {
    return told(
        release, Verdict.LOCKED, "a Helm run works on it, or was cut off; look again later");
  }

  private static @Nullable Revision lastGood(ReleaseHistory history) {
    return history.lastGood().orElse(null);
  }

  private ReleasePlan changed(
      WantedRelease release, Verdict verdict, String why, @Nullable Revision present) {
    try {
      var stored = present == null ? null : stored(release, present);
      var detail = new StringBuilder(why);
      if (stored != null) {
        detail.append(detail.isEmpty() ? "" : ", ").append(chartChange(stored));
      }
      if (!withDiff) {
        return told(release, verdict, detail.toString());
      }
      var before = stored == null ? new Manifest(List.of()) : parsed(stored.manifest());
      var after = parsed(rendered(release, stored != null));
      var diffs = diffOf(release).between(before, after);
      detail.append(detail.isEmpty() ? "" : ", ").append(count(diffs.size()));
      return shown(release, verdict, detail.toString(), diffs, live(release, before, after));
    } catch (UserError cannotTell) {
      return unknown(release, cannotTell.getMessage());
    } catch (KubernetesClientException refused) {
      return unknown(release, refused.getMessage());
    }
  }

  private static ReleasePlan unknown(WantedRelease release, @Nullable String why) {
    return told(release, Verdict.UNKNOWN, firstLine(why));
  }

  private static ReleasePlan told(WantedRelease release, Verdict verdict, String detail) {
    return ReleasePlan.of(
        release.cluster(),
        release.object(),
        release.name().value(),
        release.workspace(),
        verdict,
        detail);
  }

  /** Nothing would be rolled out; its objects may live differently all the same. */
  private ReleasePlan unchanged(WantedRelease release, @Nullable Revision present) {
    if (present == null) {
      return told(release, Verdict.UNCHANGED, "");
    }
    try {
      var manifest = parsed(stored(release, present).manifest());
      return shown(release, Verdict.UNCHANGED, "", List.of(), live(release, manifest, manifest));
    } catch (UserError | KubernetesClientException cannotTell) {
      return told(
          release,
          Verdict.UNCHANGED,
          "live objects not compared: " + firstLine(cannotTell.getMessage()));
    }
  }

  private LiveComparison.Answer live(WantedRelease release, Manifest before, Manifest after) {
    return new LiveComparison(client, capabilities, release, diffOf(release)).of(before, after);
  }

  private ManifestDiff diffOf(WantedRelease release) {
    return new ManifestDiff(
        release.workspace(), capabilities::isClusterScoped, release.values().secrets());
  }

  private static ReleasePlan shown(
      WantedRelease release,
      Verdict verdict,
      String detail,
      List<ObjectDiff> diffs,
      LiveComparison.Answer live) {
    List<ServerRemark> remarks =
        switch (live) {
          case LiveComparison.Answer.Remarks(var found) -> found;
          case LiveComparison.Answer.NotAsked _ -> List.of();
        };
    var more =
        switch (live) {
          case LiveComparison.Answer.Remarks(var found) -> counted(found);
          case LiveComparison.Answer.NotAsked(var why) -> "live objects not compared: " + why;
        };
    return new ReleasePlan(
        release.cluster(),
        release.object(),
        release.name().value(),
        release.workspace(),
        verdict,
        Stream.of(detail, more).filter(it -> !it.isEmpty()).collect(Collectors.joining(", ")),
        diffs,
        remarks);
  }

  /** {@code 1 would be refused, 2 live differently}. */
  private static String counted(List<ServerRemark> remarks) {
    return Arrays.stream(ServerRemark.Kind.values())
        .map(
            kind -> {
              var count = remarks.stream().filter(it -> it.kind() == kind).count();
              return count == 0 ? "" : count + " " + kind.words();
            })
        .filter(it -> !it.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String firstLine(@Nullable String text) {
    return String.valueOf(text).lines().findFirst().orElse("");
  }

  private String chartChange(StoredRelease stored) {
    var version = chart.version();
    return stored.chartVersion().equals(version)
        ? "chart %s as before".formatted(version)
        : "chart %s to %s".formatted(stored.chartVersion(), version);
  }

  private static String count(int objects) {
    return switch (objects) {
      case 0 -> "no object differs";
      case 1 -> "1 object";
      default -> objects + " objects";
    };
  }

  private StoredRelease stored(WantedRelease release, Revision revision) {
    var name = ReleaseSecret.name(release.name(), revision.version());
    var secret = client.secrets().inNamespace(release.workspace()).withName(name).get();
    var payload = secret == null ? null : secret.getData().get(ReleaseSecret.PAYLOAD_KEY);
    if (payload == null) {
      throw UserError.failure("the Secret %s is gone".formatted(name));
    }
    return switch (StoredRelease.decode(payload)) {
      case StoredRelease.Decoded.Intact(var intact) -> intact;
      case StoredRelease.Decoded.Unreadable(var reason) ->
          throw UserError.failure("the Secret %s cannot be read: %s".formatted(name, reason));
    };
  }

  private String rendered(WantedRelease release, boolean upgrade) {
    var loaded = chart.load();
    var request =
        new ChartRenderer.Request(
            release.name(),
            release.workspace(),
            loaded.archive(),
            release.base().beneath(release.values(), loaded.valueKeys()),
            capabilities.kubeVersion(),
            capabilities.apiVersions(),
            upgrade);
    return switch (renderer.render(request)) {
      case Rendered.Manifest(var yaml) -> yaml;
      case Rendered.Failed(var message) ->
          throw UserError.failure("it would fail: " + message.replace('\n', ' '));
    };
  }

  private static Manifest parsed(String yaml) {
    return switch (Manifest.parse(yaml)) {
      case Manifest.Parsed.Intact(var manifest) -> manifest;
      case Manifest.Parsed.Unreadable(var reason) ->
          throw UserError.failure("a manifest cannot be read: " + reason);
    };
  }
}
