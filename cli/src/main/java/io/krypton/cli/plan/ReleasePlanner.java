// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.cli.plan.ManifestDiff.ObjectDiff;
import io.krypton.cli.plan.PlannedRelease.WantedRelease;
import io.krypton.cli.plan.ReleasePlan.ServerFinding;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.cli.view.CliException;
import io.krypton.operator.release.decide.ReleaseDecider;
import io.krypton.operator.release.decide.ReleaseDecider.DesiredState;
import io.krypton.operator.release.decide.ReleaseDecider.LockPolicy;
import io.krypton.operator.release.decide.ReleaseDecider.ObservedState;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.Cause;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.ReleaseSecret;
import io.krypton.operator.release.decide.ReleaseSecret.StoredRelease;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.helm.ChartRenderer;
import io.krypton.operator.release.helm.ChartRenderer.RenderResult;
import io.krypton.operator.release.helm.HelmOperation.ChartArchive;
import io.krypton.operator.release.inventory.Manifest;
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
  private static final LockPolicy LOCKS = new LockPolicy("plan", Duration.ofMinutes(3));

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
        ReleaseDecider.whatNext(
            new ObservedState(history, true, release.appliedFingerprint(), 0, Instant.now(), false),
            new DesiredState(chart.fingerprint(release.values()), false, false),
            LOCKS,
            Instant.now());
    return switch (decision) {
      case ReleaseDecision.UpToDate upToDate ->
          withDiff
              ? unchanged(release, lastGood(history))
              : summaryOnly(release, Verdict.UNCHANGED, "");
      case ReleaseDecision.Install(var missing) ->
          changed(release, Verdict.INSTALL, missing ? "the release is gone" : "", null);
      case ReleaseDecision.InstallOverHistory over ->
          changed(release, Verdict.INSTALL, "only its history is left", null);
      case ReleaseDecision.Reinstall reinstall ->
          changed(release, Verdict.REINSTALL, "its install failed", null);
      case ReleaseDecision.Upgrade(var cause) ->
          changed(release, Verdict.UPGRADE, causeText(cause), lastGood(history));
      case ReleaseDecision.Wait wait -> locked(release);
      case ReleaseDecision.UnlockByRollback rollback -> locked(release);
      case ReleaseDecision.UnlockByUninstall uninstall -> locked(release);
      case ReleaseDecision.Confirm confirm ->
          throw new IllegalStateException("the history was read just now");
    };
  }

  private static String causeText(Cause cause) {
    return switch (cause) {
      case CHANGED -> "";
      case FORCED -> "it was asked for";
      case FAILED_BEFORE -> "its last upgrade failed";
    };
  }

  private static ReleasePlan locked(WantedRelease release) {
    return summaryOnly(
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
        return summaryOnly(release, verdict, detail.toString());
      }
      var before = stored == null ? new Manifest(List.of()) : parsed(stored.manifest());
      var after = parsed(rendered(release, stored != null));
      var diffs = diffOf(release).between(before, after);
      detail.append(detail.isEmpty() ? "" : ", ").append(count(diffs.size()));
      return withComparison(
          release, verdict, detail.toString(), diffs, live(release, before, after));
    } catch (CliException cannotTell) {
      return unknown(release, cannotTell.getMessage());
    } catch (KubernetesClientException refused) {
      return unknown(release, refused.getMessage());
    }
  }

  private static ReleasePlan unknown(WantedRelease release, @Nullable String why) {
    return summaryOnly(release, Verdict.UNKNOWN, firstLine(why));
  }

  private static ReleasePlan summaryOnly(WantedRelease release, Verdict verdict, String detail) {
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
      return summaryOnly(release, Verdict.UNCHANGED, "");
    }
    try {
      var manifest = parsed(stored(release, present).manifest());
      return withComparison(
          release, Verdict.UNCHANGED, "", List.of(), live(release, manifest, manifest));
    } catch (CliException | KubernetesClientException cannotTell) {
      return summaryOnly(
          release,
          Verdict.UNCHANGED,
          "live objects not compared: " + firstLine(cannotTell.getMessage()));
    }
  }

  private LiveComparison.Result live(WantedRelease release, Manifest before, Manifest after) {
    return new LiveComparison(client, capabilities, release, diffOf(release))
        .compareAll(before, after);
  }

  private ManifestDiff diffOf(WantedRelease release) {
    return new ManifestDiff(
        release.workspace(), capabilities::isClusterScoped, release.values().secrets());
  }

  private static ReleasePlan withComparison(
      WantedRelease release,
      Verdict verdict,
      String detail,
      List<ObjectDiff> diffs,
      LiveComparison.Result live) {
    List<ServerFinding> remarks =
        switch (live) {
          case LiveComparison.Result.Findings(var found) -> found;
          case LiveComparison.Result.NotCompared _ -> List.of();
        };
    var more =
        switch (live) {
          case LiveComparison.Result.Findings(var found) -> countByKind(found);
          case LiveComparison.Result.NotCompared(var why) -> "live objects not compared: " + why;
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
  private static String countByKind(List<ServerFinding> remarks) {
    return Arrays.stream(ServerFinding.Kind.values())
        .map(
            kind -> {
              var count = remarks.stream().filter(it -> it.kind() == kind).count();
              return count == 0 ? "" : count + " " + kind.label();
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
      throw CliException.failure("the Secret %s is gone".formatted(name));
    }
    return switch (StoredRelease.decode(payload)) {
      case StoredRelease.Decoded.Intact(var intact) -> intact;
      case StoredRelease.Decoded.Unreadable(var reason) ->
          throw CliException.failure("the Secret %s cannot be read: %s".formatted(name, reason));
    };
  }

  private String rendered(WantedRelease release, boolean upgrade) {
    var loaded = chart.load();
    var request =
        new ChartRenderer.Request(
            release.name(),
            release.workspace(),
            new ChartArchive(loaded.archive(), loaded.sha256()),
            release.base().applyTo(release.values(), loaded.valueKeys()),
            capabilities.kubeVersion(),
            capabilities.apiVersions(),
            upgrade);
    return switch (renderer.render(request)) {
      case RenderResult.Manifest(var yaml) -> yaml;
      case RenderResult.Failed(var message) ->
          throw CliException.failure("it would fail: " + message.replace('\n', ' '));
    };
  }

  private static Manifest parsed(String yaml) {
    return switch (Manifest.parse(yaml)) {
      case Manifest.Parsed.Intact(var manifest) -> manifest;
      case Manifest.Parsed.Unreadable(var reason) ->
          throw CliException.failure("a manifest cannot be read: " + reason);
    };
  }
}
