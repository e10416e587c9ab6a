// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.status;

import io.krypton.agent.gate.status.ProviderStatus.Observation;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that the gate knows, in one immutable value. */
public record GateSnapshot(ConfigurationStatus configuration, List<ProviderSnapshot> providers) {
  public static final GateSnapshot EMPTY =
      new GateSnapshot(ConfigurationStatus.NOT_READ, List.of());

  public GateSnapshot {
    providers = List.copyOf(providers);
  }

  /** What it is worth at a moment of the monotonic clock. */
  public GateStatus at(Duration now) {
    return new GateStatus(
        configuration,
        configuration.error(now).orElse(""),
        providers.stream().map(provider -> provider.at(now)).toList());
  }

  /** Adds to a hint what only the configuration shows. */
  static final class ProviderHints {
    private ProviderHints() {}

    static @Nullable ProbeFinding enrich(
        GateProvider provider, @Nullable ProbeFinding probeFinding, Verdict verdict) {
      if (probeFinding == null) {
        return null;
      }
      if (probeFinding.reason() == Reason.SOCKET_MISSING && !droppedHost(provider).isEmpty()) {
        return probeFinding.withHint(
            "\"%s\" is read as a host and dropped, the address in use is \"%s\"; %s"
                .formatted(droppedHost(provider), provider.address(), probeFinding.hint()));
      }
      if (provider.role() == ProviderRole.WRITE) {
        return probeFinding;
      }
      if (provider.api() == KmsApiVersion.V2 && isEncryptRefusal(probeFinding)) {
        return probeFinding.withHint(
            "API server cannot read data of %s after restart; %s"
                .formatted(provider.name(), probeFinding.hint()));
      }
      var decryptOnly =
          provider.api() == KmsApiVersion.V1
              && verdict == Verdict.OK
              && probeFinding.verdict() == Verdict.OK;
      return decryptOnly && probeFinding.reason() != Reason.OLD_KEY_UNREADABLE
          ? probeFinding.withHint(
              "kube-apiserver still reports %s as failed, ask it with exclude=%s"
                  .formatted(provider.checkName(), provider.checkName()))
          : probeFinding;
    }

    private static String droppedHost(GateProvider provider) {
      return provider.configured().endpoint().droppedHost();
    }

    private static boolean isEncryptRefusal(ProbeFinding probeFinding) {
      return probeFinding.phase() == ProbePhase.ENCRYPT && probeFinding.reason().isCallEnd();
    }
  }

  /** A provider with all that is known of it; what it is worth depends on the time of asking. */
  public record ProviderSnapshot(GateProvider provider, @Nullable Observation observation) {

    /** The state at a moment of the monotonic clock: an old result proves nothing. */
    public ProviderStatus at(Duration now) {
      var unusable = provider.configured().endpoint().unusableReason();
      if (unusable.isPresent()) {
        var probeFinding =
            new ProbeFinding(
                Reason.ADDRESS_UNUSABLE,
                ProbePhase.ADDRESS,
                "",
                Verdict.FATAL,
                unusable.get(),
                Reason.ADDRESS_UNUSABLE.hint());
        return new ProviderStatus(provider, Verdict.FATAL, probeFinding, "", observation);
      }
      if (observation == null || isPending(observation)) {
        return new ProviderStatus(provider, Verdict.WAIT, null, "not probed yet", observation);
      }
      var age = now.minus(observation.finished());
      if (age.compareTo(observation.validFor()) > 0) {
        var stale = "stale: last probe finished %ds ago".formatted(age.toSeconds());
        return new ProviderStatus(provider, Verdict.WAIT, null, stale, observation);
      }
      var verdictDebounce = observation.confirmation();
      var found =
          ProviderHints.enrich(provider, verdictDebounce.finding(), verdictDebounce.verdict());
      return new ProviderStatus(provider, verdictDebounce.verdict(), found, "", observation);
    }

    /** Status was good, and the first round trip is under way. */
    private static boolean isPending(Observation observation) {
      var verdictDebounce = observation.confirmation();
      return verdictDebounce.verdict() == Verdict.WAIT && verdictDebounce.finding() == null;
    }
  }
}
