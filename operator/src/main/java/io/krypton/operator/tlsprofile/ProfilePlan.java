package io.krypton.operator.tlsprofile;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.platform.PlatformState;
import io.krypton.operator.tls.profile.Compilation;
import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.OpenShiftProfile;
import io.krypton.operator.tls.profile.OpenShiftProfile.Resolution;
import io.krypton.operator.tls.profile.ServingKey;
import io.krypton.operator.tls.profile.TlsProfile;
import io.krypton.operator.tls.profile.TlsProfileCompiler;
import io.krypton.operator.tlsprofile.ProfileSettings.Publish;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What one pass is to do. All but {@link Render} leave everything as it is. */
sealed interface ProfilePlan {
  /** The platform is not known. */
  record AwaitPlatform(String why) implements ProfilePlan {}

  /** OpenShift was rendered before and is not found now: more likely a wrong answer than a move. */
  record RefuseFlip() implements ProfilePlan {}

  /** The cluster's profile cannot be had. */
  record NoSource(String why) implements ProfilePlan {}

  /** The cluster's profile makes no sense, or no consumer could serve it. */
  record Refuse(String why) implements ProfilePlan {}

  /** Hand these over to the consumers. */
  record Render(Platform platform, Optional<Published> published) implements ProfilePlan {}

  /**
   * A profile to publish.
   *
   * @param predefined what the JVM lacks of it is information, not a fault
   * @param narrowed what no consumer can serve of it
   */
  record Published(
      TlsProfile profile, boolean predefined, List<String> narrowed, Optional<String> warning) {
    public Published {
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
  static ProfilePlan whatNext(
      PlatformState platform,
      boolean rendersOpenShift,
      Source source,
      ProfileSettings settings,
      JvmTls jvm) {
    return switch (platform) {
      case PlatformState.Unknown(var why) -> new AwaitPlatform(why);
      case PlatformState.Detected(var detected)
          when detected == Platform.KUBERNETES && rendersOpenShift ->
          new RefuseFlip();
      case PlatformState.Detected(var detected) -> on(detected, source, settings, jvm);
      case PlatformState.Given(var given) -> on(given, source, settings, jvm);
    };
  }

  private static ProfilePlan on(
      Platform platform, Source source, ProfileSettings settings, JvmTls jvm) {
    var publish = settings.publishOn(platform);
    if (publish == Publish.NONE) {
      return new Render(platform, Optional.empty());
    }
    if (publish == Publish.FLAGS) {
      return render(
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

  private static ProfilePlan ofCluster(
      Platform platform, JsonNode spec, ProfileSettings settings, JvmTls jvm) {
    var adhering = OpenShiftProfile.adherence(spec, settings.adherence());
    if (!adhering.toCluster()) {
      return render(
          platform, own(settings), settings.own().isEmpty(), List.of(), Optional.empty(), jvm);
    }
    return switch (OpenShiftProfile.resolve(spec)) {
      case Resolution.Unusable(var reason) -> new Refuse(reason);
      case Resolution.Resolved(var profile, var predefined, var malformed) ->
          render(platform, profile, predefined, malformed, adhering.warning(), jvm);
    };
  }

  private static TlsProfile own(ProfileSettings settings) {
    return settings.ownOrDefault();
  }

  /** Consumers have keys of either kind; what one of them can serve is not lost. */
  private static ProfilePlan render(
      Platform platform,
      TlsProfile profile,
      boolean predefined,
      List<String> malformed,
      Optional<String> warning,
      JvmTls jvm) {
    var elliptic = TlsProfileCompiler.compile(profile, jvm, ServingKey.P256);
    var rsa = TlsProfileCompiler.compile(profile, jvm, ServingKey.RSA);
    if (elliptic instanceof Compilation.Rejected(var reason)) {
      return new Refuse(reason);
    }
    if (rsa instanceof Compilation.Rejected(var reason)) {
      return new Refuse(reason);
    }
    var narrowed = new ArrayList<>(((Compilation.Compiled) elliptic).narrowed());
    narrowed.retainAll(((Compilation.Compiled) rsa).narrowed());
    malformed.forEach(name -> narrowed.add(name + " (unknown)"));
    return new Render(platform, Optional.of(new Published(profile, predefined, narrowed, warning)));
  }
}
