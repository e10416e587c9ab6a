// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds each binary on its own: the assets directories that the environment names, trusted as they
 * are, come before the cache that {@code make tools} fills.
 */
public final class Assets {
  static final String KRYPTON_ASSETS = "KRYPTON_ASSETS";
  static final String KUBEBUILDER_ASSETS = "KUBEBUILDER_ASSETS";

  private final Map<String, String> environment;
  private final Properties versions;

  public Assets(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
    this.versions = readVersions();
  }

  public static Assets fromEnvironment() {
    return new Assets(System.getenv());
  }

  public Path find(Binary binary) {
    return firstExecutable(binary)
        .orElseThrow(() -> new MissingBinariesException(explain(List.of(binary))));
  }

  /** Fails with one exception that names all that are missing. */
  public void require(List<Binary> binaries) {
    var missing = binaries.stream().filter(binary -> firstExecutable(binary).isEmpty()).toList();
    if (!missing.isEmpty()) {
      throw new MissingBinariesException(explain(missing));
    }
  }

  private Optional<Path> firstExecutable(Binary binary) {
    return candidates(binary).stream()
        .filter(path -> Files.isRegularFile(path) && Files.isExecutable(path))
        .findFirst();
  }

  private List<Path> candidates(Binary binary) {
    var candidates = new ArrayList<Path>();
    for (var variable : List.of(KRYPTON_ASSETS, KUBEBUILDER_ASSETS)) {
      directory(variable).map(dir -> dir.resolve(binary.fileName())).ifPresent(candidates::add);
    }
    var component = binary.component();
    candidates.add(
        cache()
            .resolve("krypton/tools")
            .resolve(component + "-" + versions.getProperty(component))
            .resolve(binary.fileName()));
    return candidates;
  }

  private Path cache() {
    return directory("XDG_CACHE_HOME")
        .or(() -> directory("HOME").map(home -> home.resolve(".cache")))
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
  }

  private Optional<Path> directory(String variable) {
    return Optional.ofNullable(environment.get(variable))
        .filter(value -> !value.isEmpty())
        .map(Path::of);
  }

  private String explain(List<Binary> missing) {
    var names = names(missing);
    var places = new TreeSet<Path>();
    missing.forEach(binary -> candidates(binary).forEach(path -> places.add(path.getParent())));
    var lookedIn = places.stream().map(Path::toString).collect(Collectors.joining(", "));
    return "%s not found. Searched: %s. Remedy: run %s, or set %s to a directory with them."
        .formatted(String.join(", ", names), lookedIn, commandsFor(missing), KRYPTON_ASSETS);
  }

  private static String commandsFor(List<Binary> missing) {
    var byName = missing.stream().filter(Binary::isByName).toList();
    var commands = new ArrayList<String>();
    if (byName.size() < missing.size()) {
      commands.add("`make tools`");
    }
    if (!byName.isEmpty()) {
      commands.add("`tools/provide %s`".formatted(String.join(" ", names(byName))));
    }
    return String.join(" and ", commands);
  }

  private static List<String> names(List<Binary> binaries) {
    return binaries.stream().map(Binary::fileName).toList();
  }

  private static Properties readVersions() {
    try (InputStream in = Assets.class.getResourceAsStream("versions.properties")) {
      if (in == null) {
        throw new IllegalStateException("versions.properties is not on the class path");
      }
      var versions = new Properties();
      versions.load(in);
      return versions;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A program that the sandbox runs, and the release it belongs to. */
  public enum Binary {
    ETCD("etcd", "etcd"),
    KUBE_APISERVER("kube-apiserver", "kubernetes"),
    KUBE_CONTROLLER_MANAGER("kube-controller-manager", "kubernetes"),
    KUBE_SCHEDULER("kube-scheduler", "kubernetes"),
    KWOK("kwok", "kwok"),
    KUBECTL("kubectl", "kubernetes"),
    HELM("helm", "helm");

    private final String fileName;
    private final String component;

    Binary(String fileName, String component) {
      this.fileName = fileName;
      this.component = component;
    }

    public String fileName() {
      return fileName;
    }

    /** Whether {@code tools/provide} makes it only when it is named. */
    boolean isByName() {
      return this == KUBE_SCHEDULER || this == KWOK;
    }

    /** The key of its version in {@code versions.properties}. */
    String component() {
      return component;
    }
  }

  /** Binaries are in none of the searched places. */
  public static final class MissingBinariesException extends RuntimeException {
    MissingBinariesException(String message) {
      super(message);
    }
  }
}
