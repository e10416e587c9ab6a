// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import io.krypton.api.TlsProfileNames;
import io.krypton.base.crypto.Sha256;
import io.krypton.base.http.PageTls;
import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.PredefinedProfiles;
import io.krypton.operator.tls.profile.TlsProfileCompiler;
import io.krypton.operator.tls.profile.TlsProfileCompiler.CompileResult;
import io.krypton.operator.tls.profile.TlsProfileParser;
import io.krypton.operator.tls.profile.TlsProfileParser.ParseResult;
import io.krypton.operator.tls.serving.ServingInputs.ProfileSource;
import io.krypton.operator.tls.serving.ServingInputs.TlsInput;
import io.krypton.operator.tls.serving.TlsState.LoadedProfile;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of a server, kept in step with two directories. A new certificate or profile is in force
 * from the next connection on; what cannot be used leaves what is in use as it is.
 */
public final class ReloadingTls implements PageTls, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReloadingTls.class);
  private static final int MAX_PEM_BYTES = 256 * 1024;

  private final ServingInputs inputs;
  private final JvmTls jvm;
  private final InstantSource clock;
  private final ReloadListener listener;
  private final Map<TlsInput, String> refusals = new EnumMap<>(TlsInput.class);
  private volatile TlsState state;
  private Identified identity;
  private LoadedProfile profile;
  private @Nullable DirectoryWatcher watch;

  private record Identified(ServingIdentity identity, String digest) {}

  private record Candidate(Identified identity, LoadedProfile profile) {}

  /**
   * Serves at once: with a certificate of our own, and with the profile that is sure to be allowed.
   */
  public ReloadingTls(
      ServingInputs inputs, JvmTls jvm, InstantSource clock, ReloadListener listener) {
    this.inputs = inputs;
    this.jvm = jvm;
    this.clock = clock;
    this.listener = listener;
    this.identity = new Identified(SelfSignedCertificate.create(clock.instant()), "");
    this.profile = initialProfile(inputs.profile());
    this.state =
        switch (compile(new Candidate(identity, profile))) {
          case CompileResult.Compiled compiled ->
              TlsState.of(identity.identity(), profile, compiled, clock.instant());
          case CompileResult.Rejected(var reason) -> throw new IllegalArgumentException(reason);
        };
    reload();
  }

  private static LoadedProfile initialProfile(ProfileSource source) {
    return switch (source) {
      case ProfileSource.File file ->
          new LoadedProfile(PredefinedProfiles.FALLBACK, "fallback", "");
      case ProfileSource.Flags(var given) -> new LoadedProfile(given, "flags", "");
      case ProfileSource.None none ->
          new LoadedProfile(PredefinedProfiles.INTERMEDIATE, "none", "");
    };
  }

  /** Follows the directories until closed. */
  public synchronized void start() {
    var directories = new ArrayList<Path>();
    directories.add(inputs.certificates().path());
    if (inputs.profile() instanceof ProfileSource.File(var directory)) {
      directories.add(directory);
    }
    watch = new DirectoryWatcher(directories, inputs.poll(), this::reload);
  }

  /** For a server; it is the same one for ever. */
  @Override
  public SSLContext context() {
    return new ReloadingSslContext(this::state);
  }

  public TlsState state() {
    return state;
  }

  /**
   * Whether a connection was made with what is in force now. Sessions are never resumed from one
   * state to another, so their age tells.
   */
  @Override
  public boolean isCurrent(SSLSession session) {
    return session.getCreationTime() > state.since().toEpochMilli();
  }

  /** Looks at both inputs and puts into force what is new and usable. */
  synchronized void reload() {
    var nextIdentity = readOrKeep(TlsInput.CERTIFICATE, this::readIdentity, identity);
    var nextProfile = readOrKeep(TlsInput.PROFILE, this::readProfile, profile);
    for (var candidate :
        List.of(
            new Candidate(nextIdentity, nextProfile),
            new Candidate(nextIdentity, profile),
            new Candidate(identity, nextProfile))) {
      if (candidate.identity().equals(identity) && candidate.profile().equals(profile)) {
        return;
      }
      switch (compile(candidate)) {
        case CompileResult.Compiled compiled -> {
          adopt(candidate, compiled);
          return;
        }
        case CompileResult.Rejected(var reason) ->
            refuse(
                candidate.profile().equals(profile) ? TlsInput.CERTIFICATE : TlsInput.PROFILE,
                new InvalidTlsInputException("rejected", reason));
      }
    }
  }

  private CompileResult compile(Candidate candidate) {
    return TlsProfileCompiler.compile(
        candidate.profile().profile(), jvm, candidate.identity().identity().kind());
  }

  private void adopt(Candidate next, CompileResult.Compiled compiled) {
    var newIdentity = !next.identity().equals(identity);
    var newProfile = !next.profile().equals(profile);
    identity = next.identity();
    profile = next.profile();
    state = TlsState.of(identity.identity(), profile, compiled, clock.instant());
    if (newIdentity) {
      refusals.remove(TlsInput.CERTIFICATE);
      listener.reloaded(TlsInput.CERTIFICATE);
    }
    if (newProfile) {
      refusals.remove(TlsInput.PROFILE);
      listener.reloaded(TlsInput.PROFILE);
    }
    log.atInfo()
        .addKeyValue("certificate", identity.identity())
        .addKeyValue("notAfter", identity.identity().notAfter())
        .addKeyValue("profile", profile.profile().hash())
        .addKeyValue("source", profile.source())
        .log("TLS settings reloaded");
  }

  private interface Reading<T> {
    /** Empty if there is nothing to read and never was. */
    Optional<T> read() throws InvalidTlsInputException;
  }

  private <T> T readOrKeep(TlsInput input, Reading<T> reading, T loaded) {
    try {
      var read = reading.read().orElse(loaded);
      if (read.equals(loaded)) {
        refusals.remove(input);
      }
      return read;
    } catch (InvalidTlsInputException unusable) {
      refuse(input, unusable);
      return loaded;
    }
  }

  /** Each look meets the same bad file again; it is told once. */
  private void refuse(TlsInput input, InvalidTlsInputException unusable) {
    var message = String.valueOf(unusable.getMessage());
    if (message.equals(refusals.put(input, message))) {
      return;
    }
    listener.refused(input, unusable.reason());
    log.atWarn()
        .addKeyValue("input", input.value())
        .addKeyValue("reason", unusable.reason())
        .log("new {} refused, keeping the current one: {}", input.value(), message);
  }

  private Optional<Identified> readIdentity() throws InvalidTlsInputException {
    var files =
        inputs
            .certificates()
            .read(
                List.of(ServingIdentity.CERTIFICATE_FILE, ServingIdentity.KEY_FILE), MAX_PEM_BYTES);
    var certificate = files.get(ServingIdentity.CERTIFICATE_FILE);
    var key = files.get(ServingIdentity.KEY_FILE);
    if (certificate == null || key == null) {
      if (files.isEmpty() && identity.digest().isEmpty()) {
        return Optional.empty();
      }
      throw new InvalidTlsInputException(
          "missing",
          (certificate == null ? ServingIdentity.CERTIFICATE_FILE : ServingIdentity.KEY_FILE)
              + " is missing");
    }
    var digest = digest(certificate, key);
    return digest.equals(identity.digest())
        ? Optional.of(identity)
        : Optional.of(
            new Identified(ServingIdentity.of(certificate, key, clock.instant()), digest));
  }

  private Optional<LoadedProfile> readProfile() throws InvalidTlsInputException {
    if (!(inputs.profile() instanceof ProfileSource.File(var directory))) {
      return Optional.empty();
    }
    var file = TlsProfileNames.CONFIG_MAP_KEY;
    var content =
        new MountedDirectory(directory).read(List.of(file), TlsProfileParser.MAX_BYTES).get(file);
    if (content == null) {
      if (profile.digest().isEmpty()) {
        return Optional.empty();
      }
      throw new InvalidTlsInputException("missing", file + " is missing");
    }
    var digest = digest(content);
    if (digest.equals(profile.digest())) {
      return Optional.of(profile);
    }
    return switch (TlsProfileParser.parse(content)) {
      case ParseResult.Parsed(var read, var malformed) ->
          Optional.of(new LoadedProfile(read, "file", digest));
      case ParseResult.Invalid(var reason) ->
          throw new InvalidTlsInputException("malformed", "%s: %s".formatted(file, reason));
    };
  }

  /** Over all bytes: a new issuer in the chain is a change like any other. */
  private static String digest(byte[]... contents) {
    var digest = new Sha256();
    for (var content : contents) {
      digest.add(Integer.toString(content.length)).add(content);
    }
    return digest.hex();
  }

  @Override
  public synchronized void close() {
    if (watch != null) {
      watch.close();
    }
  }

  /** Hears what becomes of new inputs, for metrics; must be quick. */
  public interface ReloadListener {
    void reloaded(TlsInput input);

    /**
     * An input was refused; told once for each cause.
     *
     * @param reason one word of a small set
     */
    void refused(TlsInput input, String reason);
  }
}
