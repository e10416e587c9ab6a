package io.krypton.cli.operator;

import io.krypton.cli.operator.TlsOptions.Auth;
import io.krypton.cli.operator.TlsOptions.Publish;
import io.krypton.cli.operator.TlsOptions.Source;
import io.krypton.operator.observe.BindAddress;
import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.PredefinedProfiles;
import io.krypton.operator.tls.profile.TlsProfile;
import io.krypton.operator.tls.profile.TlsProfileCompiler;
import io.krypton.operator.tls.profile.TlsProfileCompiler.CompileResult;
import io.krypton.operator.tls.profile.TlsProfileCompiler.ServingKey;
import io.krypton.operator.tls.profile.TlsProfileParser.ParseResult;
import io.krypton.operator.tls.serving.ServingInputs.ProfileSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The flags of {@link TlsOptions} once it is clear that they go together.
 *
 * @param own the profile that flags give
 * @param jvm what this process can serve
 */
record TlsSettings(
    TlsOptions options,
    Optional<TlsProfile> own,
    ProfileSource source,
    boolean exposesMetricsToAll,
    JvmTls jvm) {
  static final String SOURCE = "--tls-profile-source";
  static final String MIN_VERSION = "--tls-min-version";
  static final String CIPHERS = "--tls-cipher-suites";
  static final String GROUPS = "--tls-groups";
  static final String PUBLISH = "--publish-tls-profile";
  static final String AUTH = "--metrics-auth";
  static final String SECURE = "--metrics-secure";

  private static final String OWN_FLAGS = String.join(", ", MIN_VERSION, CIPHERS, GROUPS);

  /**
   * Checks what the parser of single flags cannot see.
   *
   * @param onCommandLine whether a flag was written there, rather than in a variable or a file
   * @throws IllegalArgumentException with a text for users
   */
  static TlsSettings of(TlsOptions options, Predicate<String> onCommandLine, BindAddress metrics) {
    var jvm = JvmTls.current();
    var own = own(options, jvm);
    var explicit = onCommandLine.test(SOURCE);
    if (explicit && options.source == Source.file && own.isPresent()) {
      throw new IllegalArgumentException(
          "%s=file and one of %s exclude each other; leave one of them out"
              .formatted(SOURCE, OWN_FLAGS));
    }
    if (own.isEmpty() && explicit && options.source == Source.flags) {
      throw new IllegalArgumentException(
          "%s=flags needs at least one of %s".formatted(SOURCE, OWN_FLAGS));
    }
    if (own.isEmpty() && options.publish == Publish.flags) {
      throw new IllegalArgumentException(
          "%s=flags needs at least one of %s".formatted(PUBLISH, OWN_FLAGS));
    }
    var loopback =
        metrics
            .socket()
            .map(socket -> socket.getAddress() != null && socket.getAddress().isLoopbackAddress())
            .orElse(true);
    if (!options.metricsSecure && metrics.socket().isPresent()) {
      if (options.metricsAuth == Auth.delegated) {
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
    return new TlsSettings(
        options,
        own,
        source(options, explicit, own),
        options.metricsAuth == Auth.none && !loopback,
        jvm);
  }

  private static ProfileSource source(
      TlsOptions options, boolean explicit, Optional<TlsProfile> own) {
    if (own.isPresent() && !(explicit && options.source == Source.none)) {
      return new ProfileSource.Flags(own.get());
    }
    return switch (options.source) {
      case file -> new ProfileSource.File(options.profileDirectory);
      // Asked for by a variable, without flags: the same as no source but safer.
      case flags -> new ProfileSource.File(options.profileDirectory);
      case none -> new ProfileSource.None();
    };
  }

  private static Optional<TlsProfile> own(TlsOptions options, JvmTls jvm) {
    var ciphers = options.ciphers;
    if (options.minVersion == null && ciphers.isEmpty() && options.groups.isEmpty()) {
      return Optional.empty();
    }
    var minimum = options.minVersion == null ? "" : options.minVersion.name();
    var isTls13 = minimum.equals("VersionTLS13");
    var profile =
        read(
            ciphers.isEmpty() && !isTls13 ? PredefinedProfiles.INTERMEDIATE.ciphers() : ciphers,
            minimum,
            options.groups);
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
                  options.groups.isEmpty() ? "-" : String.join(",", options.groups),
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
}
