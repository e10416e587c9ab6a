// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import io.krypton.api.TlsProfileNames;
import io.krypton.cli.settings.DurationConverter;
import io.krypton.operator.OperatorSettings;
import io.krypton.operator.observe.ServerAddress;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.tls.distribution.TlsProfileSettings;
import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.OpenShiftTlsProfile;
import io.krypton.operator.tls.profile.PredefinedProfiles;
import io.krypton.operator.tls.profile.TlsProfile;
import io.krypton.operator.tls.profile.TlsProfileCompiler;
import io.krypton.operator.tls.profile.TlsProfileCompiler.CompileResult;
import io.krypton.operator.tls.profile.TlsProfileCompiler.ServingKey;
import io.krypton.operator.tls.profile.TlsProfileParser.ParseResult;
import io.krypton.operator.tls.serving.ServingInputs.ProfileSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Platform, TLS and who may read metrics. The three are independent: none is derived from another.
 */
final class TlsOptions {
  private static final String SOURCE = "--tls-profile-source";
  private static final String MIN_VERSION = "--tls-min-version";
  private static final String CIPHERS = "--tls-cipher-suites";
  private static final String GROUPS = "--tls-groups";
  private static final String PUBLISH = "--publish-tls-profile";
  private static final String AUTH = "--metrics-auth";
  private static final String SECURE = "--metrics-secure";

  private static final String OWN_FLAGS = String.join(", ", MIN_VERSION, CIPHERS, GROUPS);

  @Option(
      names = "--platform",
      paramLabel = "PLATFORM",
      description = "Where the operator runs: ${COMPLETION-CANDIDATES}; auto asks the API server.")
  PlatformChoice platform = PlatformChoice.auto;

  @Option(
      names = SOURCE,
      paramLabel = "SOURCE",
      description = "TLS profile of our own servers: ${COMPLETION-CANDIDATES}.")
  Source source = Source.file;

  @Option(
      names = MIN_VERSION,
      paramLabel = "VERSION",
      description = "Own profile: ${COMPLETION-CANDIDATES}.")
  @Nullable MinVersion minVersion;

  @Option(
      names = CIPHERS,
      paramLabel = "LIST",
      split = ",",
      description = "Own profile: comma list of cipher suites, OpenSSL or IANA names.")
  List<String> ciphers = new ArrayList<>();

  @Option(
      names = GROUPS,
      paramLabel = "LIST",
      split = ",",
      description = "Own profile: comma list of key exchange groups.")
  List<String> groups = new ArrayList<>();

  @Option(
      names = PUBLISH,
      paramLabel = "WHAT",
      description =
          "TLS profile for labelled Deployments: ${COMPLETION-CANDIDATES}; auto = that of the"
              + " cluster on OpenShift, else none.")
  Publish publish = Publish.auto;

  @Option(
      names = "--tls-adherence",
      paramLabel = "MODE",
      description = "Whether tlsAdherence of the cluster counts: ${COMPLETION-CANDIDATES}.")
  Adherence adherence = Adherence.always;

  @Option(
      names = AUTH,
      paramLabel = "MODE",
      description = "Who may read metrics and status: ${COMPLETION-CANDIDATES}.")
  Auth metricsAuth = Auth.delegated;

  @Option(
      names = "--metrics-auth-stale-grace",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "How long granted access holds while the API server is unreachable.")
  Duration staleGrace = Duration.ofMinutes(10);

  @Option(
      names = SECURE,
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "Metrics and status over HTTPS; false only on loopback and without auth.")
  boolean metricsSecure = true;

  @Option(
      names = "--serving-dir",
      paramLabel = "DIR",
      description = "Directory of tls.crt and tls.key, followed when they change.")
  Path servingDirectory = Path.of(TlsProfileNames.SERVING_MOUNT);

  @Option(
      names = "--tls-profile-dir",
      paramLabel = "DIR",
      description = "Directory of profile.json, followed when it changes.")
  Path profileDirectory = Path.of(TlsProfileNames.PROFILE_MOUNT);

  @Option(
      names = "--podinfo-dir",
      paramLabel = "DIR",
      description = "Directory of the file annotations of the downward API.")
  Path podInfoDirectory = Path.of(TlsProfileNames.POD_INFO_MOUNT);

  /**
   * Checks what the parser of single flags cannot see.
   *
   * @param onCommandLine whether a flag was written there, rather than in a variable or a file
   * @throws IllegalArgumentException with a text for users
   */
  OperatorSettings.Tls toSettings(Predicate<String> onCommandLine) {
    var jvm = JvmTls.current();
    var own = own(jvm);
    var explicit = onCommandLine.test(SOURCE);
    if (explicit && source == Source.file && own.isPresent()) {
      throw new IllegalArgumentException(
          "%s=file and one of %s exclude each other; leave one of them out"
              .formatted(SOURCE, OWN_FLAGS));
    }
    if (own.isEmpty() && explicit && source == Source.flags) {
      throw new IllegalArgumentException(
          "%s=flags needs at least one of %s".formatted(SOURCE, OWN_FLAGS));
    }
    if (own.isEmpty() && publish == Publish.flags) {
      throw new IllegalArgumentException(
          "%s=flags needs at least one of %s".formatted(PUBLISH, OWN_FLAGS));
    }
    return new OperatorSettings.Tls(
        switch (platform) {
          case auto -> Optional.empty();
          case openshift -> Optional.of(Platform.OPENSHIFT);
          case kubernetes -> Optional.of(Platform.KUBERNETES);
        },
        own,
        source(explicit, own),
        switch (publish) {
          case auto -> TlsProfileSettings.Publish.AUTO;
          case cluster -> TlsProfileSettings.Publish.CLUSTER;
          case flags -> TlsProfileSettings.Publish.FLAGS;
          case none -> TlsProfileSettings.Publish.NONE;
        },
        adherence == Adherence.always
            ? OpenShiftTlsProfile.Adherence.ALWAYS
            : OpenShiftTlsProfile.Adherence.CLUSTER,
        jvm,
        servingDirectory,
        podInfoDirectory);
  }

  /**
   * How metrics and status are served.
   *
   * @throws IllegalArgumentException with a text for users
   */
  OperatorSettings.Serving toServing(ServerAddress metrics, ServerAddress probes) {
    var loopback =
        metrics
            .socket()
            .map(socket -> socket.getAddress() != null && socket.getAddress().isLoopbackAddress())
            .orElse(true);
    if (!metricsSecure && metrics.socket().isPresent()) {
      if (metricsAuth == Auth.delegated) {
        throw new IllegalArgumentException(
            "%s=false would show tokens to everybody; use HTTPS, or %s=none on a loopback address"
                .formatted(SECURE, AUTH));
      }
      if (!loopback) {
        throw new IllegalArgumentException(
            "%s=false is for loopback addresses only; use for example".formatted(SECURE)
                + " --metrics-bind-address=127.0.0.1:8080");
      }
    }
    return new OperatorSettings.Serving(
        metrics,
        probes,
        metricsSecure,
        metricsAuth == Auth.delegated,
        staleGrace,
        metricsAuth == Auth.none && !loopback);
  }

  private ProfileSource source(boolean explicit, Optional<TlsProfile> own) {
    if (own.isPresent() && !(explicit && source == Source.none)) {
      return new ProfileSource.Flags(own.get());
    }
    return switch (source) {
      case file -> new ProfileSource.File(profileDirectory);
      // Asked for by a variable, without flags: the same as no source but safer.
      case flags -> new ProfileSource.File(profileDirectory);
      case none -> new ProfileSource.None();
    };
  }

  private Optional<TlsProfile> own(JvmTls jvm) {
    if (minVersion == null && ciphers.isEmpty() && groups.isEmpty()) {
      return Optional.empty();
    }
    var minimum = minVersion == null ? "" : minVersion.name();
    var isTls13 = minimum.equals("VersionTLS13");
    var profile =
        read(
            ciphers.isEmpty() && !isTls13 ? PredefinedProfiles.INTERMEDIATE.ciphers() : ciphers,
            minimum,
            groups);
    if (TlsProfileCompiler.compile(profile, jvm, ServingKey.P256)
        instanceof CompileResult.Rejected(var reason)) {
      throw new IllegalArgumentException(
          "%s %s, %s %s, %s %s: %s"
              .formatted(
                  MIN_VERSION,
                  minimum.isEmpty() ? "-" : minimum,
                  CIPHERS,
                  ciphers.isEmpty() ? "-" : String.join(",", ciphers),
                  GROUPS,
                  groups.isEmpty() ? "-" : String.join(",", groups),
                  reason));
    }
    return Optional.of(profile);
  }

  private static TlsProfile read(List<String> ciphers, String minimum, List<String> groups) {
    return switch (ParseResult.of(ciphers, minimum, groups)) {
      case ParseResult.Invalid(var reason) -> throw new IllegalArgumentException(reason);
      case ParseResult.Parsed(var profile, var malformed) -> {
        if (!malformed.isEmpty()) {
          throw new IllegalArgumentException(
              "%s and %s: '%s' is not a name; write a comma list such as X25519,secp256r1"
                  .formatted(CIPHERS, GROUPS, malformed.getFirst()));
        }
        yield profile;
      }
    };
  }

  /** Lower case as users write it. */
  enum PlatformChoice {
    auto,
    openshift,
    kubernetes
  }

  /** Lower case as users write it. */
  enum Source {
    file,
    flags,
    none
  }

  /** Spelled as OpenShift does. */
  enum MinVersion {
    VersionTLS10,
    VersionTLS11,
    VersionTLS12,
    VersionTLS13
  }

  /** Lower case as users write it. */
  enum Publish {
    auto,
    cluster,
    flags,
    none
  }

  /** Lower case as users write it. */
  enum Adherence {
    always,
    cluster
  }

  /** Lower case as users write it. */
  enum Auth {
    delegated,
    none
  }
}
