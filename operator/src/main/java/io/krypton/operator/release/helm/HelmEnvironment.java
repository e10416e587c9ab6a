// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The environment of a Helm process: made up anew, so that nothing of ours or a user's leaks in.
 */
public final class HelmEnvironment {
  private static final String PATH = "PATH";
  public static final String REGISTRY_CONFIG = "HELM_REGISTRY_CONFIG";
  // Where the authorities of this machine are: for repositories and for clusters alike.
  private static final List<String> AUTHORITIES = List.of("SSL_CERT_FILE", "SSL_CERT_DIR");
  // Only for downloads: a proxy for charts must not get between us and a cluster.
  private static final List<String> PROXIES =
      List.of("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy");

  private final Map<String, String> ours;
  private final int megabytes;

  public HelmEnvironment(HelmSettings settings) {
    this(settings.environment(), settings.cli().megabytes());
  }

  public HelmEnvironment(Map<String, String> ours, int megabytes) {
    this.ours = Map.copyOf(ours);
    this.megabytes = megabytes;
  }

  /** The program behind a name: a path, or what is found on our {@code PATH}. */
  public Optional<Path> locate(String program) {
    var candidates =
        program.contains("/")
            ? Stream.of(Path.of(program))
            : Stream.of(path().split(":")).map(directory -> Path.of(directory, program));
    return candidates
        .map(Path::toAbsolutePath)
        .filter(Files::isRegularFile)
        .filter(Files::isExecutable)
        .findFirst();
  }

  private String path() {
    return ours.getOrDefault(PATH, "/usr/local/bin:/usr/bin:/bin");
  }

  /** For an operation on a cluster. */
  public Map<String, String> forCluster(Path home, Path kubeconfig) {
    var environment = forCommand(home);
    environment.put("KUBECONFIG", kubeconfig.toString());
    return environment;
  }

  public Map<String, String> forDownloads(Path home) {
    var environment = forCommand(home);
    environment.put("KUBECONFIG", home.resolve("none").toString());
    passThrough(PROXIES, environment);
    return environment;
  }

  /** For the worker, which uses proxies for charts alone, and is told its memory by a request. */
  public Map<String, String> forWorker(Path home) {
    var environment = common(home);
    passThrough(PROXIES, environment);
    passThrough(List.of(REGISTRY_CONFIG), environment);
    return environment;
  }

  private void passThrough(List<String> names, Map<String, String> environment) {
    names.stream()
        .filter(ours::containsKey)
        .forEach(name -> environment.put(name, ours.getOrDefault(name, "")));
  }

  private Map<String, String> common(Path home) {
    var environment = new TreeMap<String, String>();
    passThrough(AUTHORITIES, environment);
    environment.put("HOME", home.toString());
    environment.put(PATH, path());
    return environment;
  }

  private Map<String, String> forCommand(Path home) {
    var environment = common(home);
    environment.put("GOMEMLIMIT", megabytes + "MiB");
    environment.put("HELM_DRIVER", "secret");
    environment.put("HELM_CACHE_HOME", home.resolve("cache").toString());
    environment.put("HELM_CONTENT_CACHE", home.resolve("cache/content").toString());
    environment.put("HELM_CONFIG_HOME", home.resolve("config").toString());
    environment.put("HELM_DATA_HOME", home.resolve("data").toString());
    environment.put("HELM_PLUGINS", home.resolve("plugins").toString());
    environment.put("HELM_REPOSITORY_CONFIG", home.resolve("repositories.yaml").toString());
    environment.put("HELM_REPOSITORY_CACHE", home.resolve("cache/repository").toString());
    environment.put(
        REGISTRY_CONFIG,
        ours.getOrDefault(REGISTRY_CONFIG, home.resolve("registry.json").toString()));
    return environment;
  }
}
