// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.lab;

import io.krypton.agent.gate.status.ConfigurationStatus;
import io.krypton.agent.gate.status.GateProvider;
import io.krypton.agent.gate.status.GateSnapshot;
import io.krypton.agent.gate.status.GateSnapshot.ProviderSnapshot;
import io.krypton.agent.gate.status.KubeStatus;
import io.krypton.agent.gate.status.ProviderStatus.Observation;
import io.krypton.base.http.PageRequest;
import io.krypton.kms.config.EncryptionConfiguration.KmsProvider;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.health.VerdictDebounce;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Snapshots by hand, seen at second 10 of the monotonic clock. */
public final class Views {
  public static final Duration NOW = Duration.ofSeconds(10);
  public static final Instant SINCE = Instant.parse("2026-01-02T03:04:05Z");

  private static final VerdictDebounce START =
      VerdictDebounce.initial(new VerdictDebounce.Rules(3, Duration.ofSeconds(10)));

  private Views() {}

  public static GateSnapshot inUse(ProviderSnapshot... providers) {
    return new GateSnapshot(
        new ConfigurationStatus(new ConfigurationStatus.InUse("sha256:old", SINCE), null),
        List.of(providers));
  }

  public static GateProvider provider(int index, String name) {
    return provider(index, name, KmsApiVersion.V2, ProviderRole.WRITE, true);
  }

  public static GateProvider provider(
      int index, String name, KmsApiVersion api, ProviderRole role, boolean required) {
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

  public static ProviderSnapshot ok(GateProvider provider) {
    return new ProviderSnapshot(provider, observed(START.afterOk(null), KubeStatus.OK));
  }

  public static ProviderSnapshot notProbed(GateProvider provider) {
    return new ProviderSnapshot(provider, null);
  }

  /** Failing since start with one failure. */
  public static ProviderSnapshot failing(GateProvider provider, ProbeFinding probeFinding) {
    return failing(provider, probeFinding, KubeStatus.OK);
  }

  public static ProviderSnapshot failing(
      GateProvider provider, ProbeFinding probeFinding, KubeStatus kube) {
    return new ProviderSnapshot(provider, observed(START.afterFailure(probeFinding, NOW), kube));
  }

  public static ProviderSnapshot degraded(GateProvider provider, ProbeFinding probeFinding) {
    return new ProviderSnapshot(provider, observed(START.afterOk(probeFinding), KubeStatus.OK));
  }

  /** FATAL for good. */
  public static ProviderSnapshot fatal(GateProvider provider, ProbeFinding probeFinding) {
    var confirmed = START;
    for (int i = 0; i < 3; i++) {
      confirmed = confirmed.afterFailure(probeFinding, Duration.ofSeconds(3L * i));
    }
    return new ProviderSnapshot(provider, observed(confirmed, KubeStatus.OK));
  }

  public static ProbeFinding missing() {
    return finding(
        Reason.SOCKET_MISSING, ProbePhase.CONNECT, "ENOENT", "no such file or directory");
  }

  public static ProbeFinding refused(ProbePhase probePhase) {
    return finding(Reason.RPC_REFUSED, probePhase, "FAILED_PRECONDITION", "key disabled");
  }

  public static ProbeFinding finding(
      Reason reason, ProbePhase probePhase, String code, String message) {
    return new ProbeFinding(reason, probePhase, code, reason.verdict(), message, reason.hint());
  }

  private static Observation observed(VerdictDebounce verdictDebounce, KubeStatus kube) {
    @Nullable ProbeFinding probeFinding = verdictDebounce.finding();
    var attempts = probeFinding == null || probeFinding.verdict() == Verdict.OK ? 0 : 7;
    return new Observation(
        verdictDebounce, attempts, SINCE, SINCE, NOW, Duration.ofSeconds(5), "sha256:ab", kube);
  }

  /** A request of a peer. */
  public static PageRequest request(String path, String query, boolean local) {
    return new PageRequest(
        "GET", path, query, Map.of(), InetAddress.ofLiteral(local ? "127.0.0.1" : "192.0.2.1"));
  }
}
