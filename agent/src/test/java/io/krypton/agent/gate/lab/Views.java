package io.krypton.agent.gate.lab;

import io.krypton.agent.gate.snapshot.ConfigurationView;
import io.krypton.agent.gate.snapshot.GateProvider;
import io.krypton.agent.gate.snapshot.KubeStatus;
import io.krypton.agent.gate.snapshot.Observed;
import io.krypton.agent.gate.snapshot.ProviderView;
import io.krypton.agent.gate.snapshot.Snapshot;
import io.krypton.kms.encryption.KmsProvider;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.protocol.Endpoint;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.verdict.Confirmation;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Snapshots by hand, seen at second 10 of the monotonic clock. */
public final class Views {
  public static final Duration NOW = Duration.ofSeconds(10);
  public static final Instant SINCE = Instant.parse("2026-01-02T03:04:05Z");

  private static final Confirmation START =
      Confirmation.atStart(new Confirmation.Rules(3, Duration.ofSeconds(10)));

  private Views() {}

  public static Snapshot inUse(ProviderView... providers) {
    return new Snapshot(
        new ConfigurationView(new ConfigurationView.InUse("sha256:old", SINCE), null),
        List.of(providers));
  }

  public static GateProvider provider(int index, String name) {
    return provider(index, name, KmsApi.V2, ProviderRole.WRITE, true);
  }

  public static GateProvider provider(
      int index, String name, KmsApi api, ProviderRole role, boolean required) {
    return new GateProvider(
        new KmsProvider(
            index,
            name,
            api,
            Endpoint.ofAddress("/run/" + name + ".sock"),
            Duration.ofSeconds(3),
            role,
            List.of()),
        required);
  }

  public static ProviderView ok(GateProvider provider) {
    return new ProviderView(provider, observed(START.afterOk(null), KubeStatus.GOOD));
  }

  public static ProviderView notProbed(GateProvider provider) {
    return new ProviderView(provider, null);
  }

  /** Failing since start with one failure. */
  public static ProviderView failing(GateProvider provider, Finding finding) {
    return failing(provider, finding, KubeStatus.GOOD);
  }

  public static ProviderView failing(GateProvider provider, Finding finding, KubeStatus kube) {
    return new ProviderView(provider, observed(START.afterFailure(finding, NOW), kube));
  }

  public static ProviderView degraded(GateProvider provider, Finding finding) {
    return new ProviderView(provider, observed(START.afterOk(finding), KubeStatus.GOOD));
  }

  /** FATAL for good. */
  public static ProviderView fatal(GateProvider provider, Finding finding) {
    var confirmed = START;
    for (int i = 0; i < 3; i++) {
      confirmed = confirmed.afterFailure(finding, Duration.ofSeconds(3L * i));
    }
    return new ProviderView(provider, observed(confirmed, KubeStatus.GOOD));
  }

  public static Finding missing() {
    return finding(Reason.SOCKET_MISSING, Phase.CONNECT, "ENOENT", "no such file or directory");
  }

  public static Finding refused(Phase phase) {
    return finding(Reason.RPC_REFUSED, phase, "FAILED_PRECONDITION", "key disabled");
  }

  public static Finding finding(Reason reason, Phase phase, String code, String message) {
    return new Finding(reason, phase, code, reason.verdict(), message, reason.hint());
  }

  private static Observed observed(Confirmation confirmation, KubeStatus kube) {
    @Nullable Finding finding = confirmation.finding();
    var attempts = finding == null || finding.verdict() == Verdict.OK ? 0 : 7;
    return new Observed(
        confirmation, attempts, SINCE, SINCE, NOW, Duration.ofSeconds(5), "sha256:ab", kube);
  }
}
