package io.krypton.cli.operator;

import io.krypton.api.TlsProfileNames;
import io.krypton.cli.settings.DurationConverter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Platform, TLS and who may read metrics. The three are independent: none is derived from another.
 */
final class TlsOptions {
  @Option(
      names = "--platform",
      paramLabel = "PLATFORM",
      description = "Where the operator runs: ${COMPLETION-CANDIDATES}; auto asks the API server.")
  PlatformChoice platform = PlatformChoice.auto;

  @Option(
      names = TlsSettings.SOURCE,
      paramLabel = "SOURCE",
      description = "TLS profile of our own servers: ${COMPLETION-CANDIDATES}.")
  Source source = Source.file;

  @Option(
      names = TlsSettings.MIN_VERSION,
      paramLabel = "VERSION",
      description = "Own profile: ${COMPLETION-CANDIDATES}.")
  @Nullable MinVersion minVersion;

  @Option(
      names = TlsSettings.CIPHERS,
      paramLabel = "LIST",
      split = ",",
      description = "Own profile: comma list of cipher suites, OpenSSL or IANA names.")
  List<String> ciphers = new ArrayList<>();

  @Option(
      names = TlsSettings.GROUPS,
      paramLabel = "LIST",
      split = ",",
      description = "Own profile: comma list of key exchange groups.")
  List<String> groups = new ArrayList<>();

  @Option(
      names = TlsSettings.PUBLISH,
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
      names = TlsSettings.AUTH,
      paramLabel = "MODE",
      description = "Who may read metrics and status: ${COMPLETION-CANDIDATES}.")
  Auth metricsAuth = Auth.delegated;

  @Option(
      names = "--metrics-auth-stale-grace",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "How long who was allowed stays allowed while the API server is away.")
  Duration staleGrace = Duration.ofMinutes(10);

  @Option(
      names = TlsSettings.SECURE,
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
