// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.platform.Platform.PlatformState;
import io.krypton.operator.tls.distribution.TlsProfileSettings.Publish;
import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.OpenShiftTlsProfile;
import io.krypton.operator.tls.profile.OpenShiftTlsProfile.Resolution;
import io.krypton.operator.tls.profile.TlsProfile;
import io.krypton.operator.tls.profile.TlsProfileCompiler;
import io.krypton.operator.tls.profile.TlsProfileCompiler.CompileResult;
import io.krypton.operator.tls.profile.TlsProfileCompiler.ServingKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What one pass is to do. All but {@link Render} leave everything as it is. */
sealed interface TlsProfileDecision {
  /** The platform is not known. */
  record AwaitPlatform(String why) implements TlsProfileDecision {}

  /** OpenShift was rendered before and is not found now: more likely a wrong answer than a move. */
  record RejectPlatformChange() implements TlsProfileDecision {}

  /** The cluster's profile cannot be had. */
  record NoSource(String why) implements TlsProfileDecision {}

  /** The cluster's profile makes no sense, or no consumer could serve it. */
  record Reject(String why) implements TlsProfileDecision {}

  /** Hand these over to the consumers. */
  record Distribute(Platform platform, Optional<PublishedProfile> published)
      implements TlsProfileDecision {}

  /**
   * A profile to publish.
   *
   * @param predefined what the JVM lacks of it is information, not a fault
   * @param narrowed what no consumer can serve of it
   */
  record PublishedProfile(
      TlsProfile profile, boolean predefined, List<String> narrowed, Optional<String> warning) {
    public PublishedProfile {
      narrowed = List.copyOf(narrowed);
    }
  }

  /** What a look at the cluster's object gave. */
  sealed interface Source {
    record NotAsked() implements Source {}

    record Missing() implements Source {}

    record Failed(String why) implements Source {}

    record Found(JsonNode spec) implements Source {}
  }

  /**
   * Decides.
   *
   * @param rendersOpenShift whether the ConfigMap or any consumer says so already
   */
  static TlsProfileDecision decide(
      PlatformState platform,
      boolean rendersOpenShift,
      Source source,
      TlsProfileSettings settings,
      JvmTls jvm) {
    return switch (platform) {
      case PlatformState.Unknown(var why) -> new AwaitPlatform(why);
      case PlatformState.Detected(var detected)
          when detected == Platform.KUBERNETES && rendersOpenShift ->
          new RejectPlatformChange();
      case PlatformState.Detected(var detected) -> on(detected, source, settings, jvm);
      case PlatformState.Configured(var given) -> on(given, source, settings, jvm);
    };
  }

  private static TlsProfileDecision on(
      Platform platform, Source source, TlsProfileSettings settings, JvmTls jvm) {
    var publish = settings.publishOn(platform);
    if (publish == Publish.NONE) {
      return new Distribute(platform, Optional.empty());
    }
    if (publish == Publish.FLAGS) {
      return distribute(
          platform, own(settings), settings.own().isEmpty(), List.of(), Optional.empty(), jvm);
    }
    return switch (source) {
      case Source.NotAsked notAsked -> new NoSource("the APIServer object was not asked for");
      case Source.Missing missing ->
          new NoSource("apiservers.config.openshift.io/cluster does not exist");
      case Source.Failed(var why) ->
          new NoSource("apiservers.config.openshift.io/cluster cannot be read: " + why);
      case Source.Found(var spec) -> ofCluster(platform, spec, settings, jvm);
    };
  }

  private static TlsProfileDecision ofCluster(
      Platform platform, JsonNode spec, TlsProfileSettings settings, JvmTls jvm) {
    var adherenceResult = OpenShiftTlsProfile.adherence(spec, settings.adherence());
    if (!adherenceResult.toCluster()) {
      return distribute(
          platform, own(settings), settings.own().isEmpty(), List.of(), Optional.empty(), jvm);
    }
    return switch (OpenShiftTlsProfile.resolve(spec)) {
      case Resolution.Unusable(var reason) -> new Reject(reason);
      case Resolution.Resolved(var profile, var predefined, var malformed) ->
          distribute(platform, profile, predefined, malformed, adherenceResult.warning(), jvm);
    };
  }

  private static TlsProfile own(TlsProfileSettings settings) {
    return settings.ownOrDefault();
  }

  /** Consumers have keys of either kind; what one of them can serve is not lost. */
  private static TlsProfileDecision distribute(
      Platform platform,
      TlsProfile profile,
      boolean predefined,
      List<String> malformed,
      Optional<String> warning,
      JvmTls jvm) {
    var elliptic = TlsProfileCompiler.compile(profile, jvm, ServingKey.P256);
    var rsa = TlsProfileCompiler.compile(profile, jvm, ServingKey.RSA);
    if (elliptic instanceof CompileResult.Rejected(var reason)) {
      return new Reject(reason);
    }
    if (rsa instanceof CompileResult.Rejected(var reason)) {
      return new Reject(reason);
    }
    var narrowed = new ArrayList<>(((CompileResult.Compiled) elliptic).narrowed());
    narrowed.retainAll(((CompileResult.Compiled) rsa).narrowed());
    malformed.forEach(name -> narrowed.add(name + " (unknown)"));
    return new Distribute(
        platform, Optional.of(new PublishedProfile(profile, predefined, narrowed, warning)));
  }
}
