// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.profile;

import io.krypton.operator.tls.profile.TlsProfile.TlsVersion;
import io.krypton.operator.tls.profile.TlsProfileCompiler.CompileResult.Compiled;
import io.krypton.operator.tls.profile.TlsProfileCompiler.CompileResult.Rejected;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Translates a profile for JSSE. The result may be less than the profile allows and says so; it is
 * never more.
 */
public final class TlsProfileCompiler {
  private static final List<String> BASE_GROUPS = List.of("x25519", "secp256r1", "secp384r1");
  private static final Map<String, String> GROUP_ALIASES =
      Map.of(
          "p-256", "secp256r1",
          "prime256v1", "secp256r1",
          "p-384", "secp384r1",
          "p-521", "secp521r1");
  private static final String DISABLED = "%s (disabled by the JVM)";

  private final TlsProfile profile;
  private final JvmTls jvm;
  private final ServingKey key;
  private final List<String> narrowed = new ArrayList<>();

  private TlsProfileCompiler(TlsProfile profile, JvmTls jvm, ServingKey key) {
    this.profile = profile;
    this.jvm = jvm;
    this.key = key;
  }

  public static CompileResult compile(TlsProfile profile, JvmTls jvm, ServingKey key) {
    return new TlsProfileCompiler(profile, jvm, key).compile();
  }

  private CompileResult compile() {
    var versions = versions();
    var named = namedSuites();
    if (named.isEmpty() && !profile.ciphers().isEmpty() && !isTls13Only()) {
      return new Rejected("TLS profile specifies ciphers but none are supported");
    }
    var groups = groups();
    if (groups.isEmpty()) {
      return new Rejected("TLS profile specifies groups but none are supported");
    }
    var suites = withTls13(named);
    if (suites.stream().noneMatch(CipherTable::isTls13) && versions.remove(TlsVersion.TLS13)) {
      narrowed.add("TLSv1.3 (none of its suites is left)");
    }
    reasonForTls13Only(suites, groups)
        .ifPresent(
            why -> {
              if (versions.removeIf(version -> version != TlsVersion.TLS13)) {
                narrowed.add("TLSv1.2 (%s)".formatted(why));
              }
            });
    if (versions.isEmpty()) {
      return new Rejected(
          "TLS profile needs at least %s, which this JVM cannot serve"
              .formatted(profile.minimum().profileName()));
    }
    var served =
        suites.stream()
            .filter(suite -> CipherTable.isTls13(suite) || versions.contains(TlsVersion.TLS12))
            .toList();
    var result =
        new Compiled(
            versions.reversed().stream().map(TlsVersion::protocol).toList(),
            served,
            groups,
            narrowed);
    assertWithin(result);
    return result;
  }

  private boolean isTls13Only() {
    return profile.minimum() == TlsVersion.TLS13;
  }

  private List<TlsVersion> versions() {
    var versions = new ArrayList<TlsVersion>();
    for (var version : profile.minimum().andNewer()) {
      if (jvm.protocols().contains(version.protocol())) {
        versions.add(version);
      } else {
        narrowed.add(DISABLED.formatted(version.protocol()));
      }
    }
    return versions;
  }

  /** The suites that the profile names and the JVM has, in the profile's order. */
  private List<String> namedSuites() {
    var usable = new LinkedHashSet<String>();
    for (var cipher : ciphers()) {
      var suite = CipherTable.suiteOf(cipher);
      // Names for older versions mean nothing to a profile that begins with TLS 1.3.
      var counts = !isTls13Only() || suite.filter(CipherTable::isTls13).isPresent();
      if (suite.isEmpty()) {
        narrowed.add("%s (unknown)".formatted(cipher));
      } else if (counts && jvm.suites().contains(suite.get())) {
        usable.add(suite.get());
      } else if (counts) {
        narrowed.add(DISABLED.formatted(cipher));
      }
    }
    return List.copyOf(usable);
  }

  private List<String> ciphers() {
    return profile.ciphers().isEmpty() && !isTls13Only()
        ? PredefinedProfiles.INTERMEDIATE.ciphers()
        : profile.ciphers();
  }

  /**
   * Without a suite of its own TLS 1.3 would not work at all; a profile that names none allows all.
   */
  private List<String> withTls13(List<String> named) {
    if (namesTls13()) {
      return named;
    }
    var suites = new ArrayList<>(CipherTable.TLS13_SUITES);
    suites.retainAll(jvm.suites());
    suites.addAll(named);
    return suites;
  }

  private boolean namesTls13() {
    return ciphers().stream().anyMatch(CipherTable::isTls13);
  }

  private List<String> groups() {
    if (profile.groups().isEmpty()) {
      return BASE_GROUPS.stream().filter(jvm.groups()::contains).toList();
    }
    var usable = new LinkedHashSet<String>();
    for (var name : profile.groups()) {
      var group = groupOf(name);
      if (jvm.groups().contains(group)) {
        usable.add(group);
      } else {
        narrowed.add("%s (not supported by the JVM)".formatted(name));
      }
    }
    return List.copyOf(usable);
  }

  private static String groupOf(String name) {
    var lower = name.toLowerCase(Locale.ROOT);
    return GROUP_ALIASES.getOrDefault(lower, lower);
  }

  private Optional<String> reasonForTls13Only(List<String> suites, List<String> groups) {
    if (suites.stream().noneMatch(suite -> !CipherTable.isTls13(suite) && key.fits(suite))) {
      return Optional.of("no suite fits the %s key".formatted(key.algorithm()));
    }
    // JSSE ties an EC certificate to the groups up to TLS 1.2, and no longer in TLS 1.3.
    return key.algorithm() == ServingKey.Algorithm.EC && !groups.contains(key.curve())
        ? Optional.of("the curve %s of the key is not among the groups".formatted(key.curve()))
        : Optional.empty();
  }

  private void assertWithin(Compiled result) {
    var allowed = new ArrayList<String>();
    ciphers().forEach(cipher -> CipherTable.suiteOf(cipher).ifPresent(allowed::add));
    if (!namesTls13()) {
      allowed.addAll(CipherTable.TLS13_SUITES);
    }
    var protocols = profile.minimum().andNewer().stream().map(TlsVersion::protocol).toList();
    var groups =
        profile.groups().isEmpty()
            ? BASE_GROUPS
            : profile.groups().stream().map(TlsProfileCompiler::groupOf).toList();
    if (!allowed.containsAll(result.suites())
        || !protocols.containsAll(result.protocols())
        || !groups.containsAll(result.groups())) {
      throw new IllegalStateException("%s allows more than %s".formatted(result, profile));
    }
  }

  /** A profile in the terms of one JVM and one key. */
  public sealed interface CompileResult {
    /**
     * What to set on a connection.
     *
     * @param narrowed what the profile allows and cannot be served, each with its reason
     */
    record Compiled(
        List<String> protocols, List<String> suites, List<String> groups, List<String> narrowed)
        implements CompileResult {
      public Compiled {
        protocols = List.copyOf(protocols);
        suites = List.copyOf(suites);
        groups = List.copyOf(groups);
        narrowed = List.copyOf(narrowed);
      }
    }

    /** Nothing that the profile allows can be served. */
    record Rejected(String reason) implements CompileResult {}
  }

  /**
   * The key of a server's certificate, as far as a profile depends on it.
   *
   * @param curve of an EC key, by the name of its group; empty for RSA
   */
  public record ServingKey(Algorithm algorithm, String curve) {
    public static final ServingKey RSA = new ServingKey(Algorithm.RSA, "");
    public static final ServingKey P256 = new ServingKey(Algorithm.EC, "secp256r1");

    /** Kinds of keys that certificates of servers have. */
    public enum Algorithm {
      EC,
      RSA
    }

    /** Whether a suite older than TLS 1.3 signs with such a key. */
    boolean fits(String suite) {
      return switch (algorithm) {
        case EC -> suite.contains("_ECDSA_");
        case RSA -> suite.contains("_RSA_");
      };
    }
  }
}
