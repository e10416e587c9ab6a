// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.operator.release.helm.HelmSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The environment of a Helm process: made up anew, so that nothing of ours or a user's leaks in.
 */
final class HelmEnvironment {
  private static final String PATH = "PATH";
  static final String REGISTRY_CONFIG = "HELM_REGISTRY_CONFIG";
  // Where the authorities of this machine are: for repositories and for clusters alike.
  private static final List<String> AUTHORITIES = List.of("SSL_CERT_FILE", "SSL_CERT_DIR");
  // Only for downloads: a proxy for charts must not get between us and a cluster.
  private static final List<String> PROXIES =
      List.of("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy");

  private final Map<String, String> ours;
  private final int megabytes;

  HelmEnvironment(HelmSettings settings) {
    this(settings.environment(), settings.megabytes());
  }

  HelmEnvironment(Map<String, String> ours, int megabytes) {
    this.ours = Map.copyOf(ours);
    this.megabytes = megabytes;
  }

  /** Where a program is looked up. */
  String path() {
    return ours.getOrDefault(PATH, "/usr/local/bin:/usr/bin:/bin");
  }

  /**
   * For an operation on a cluster.
   *
   * @param discovery what earlier runs learned of the API of this cluster, and of no other
   */
  Map<String, String> forCluster(Path home, Path kubeconfig, Path discovery) {
    var environment = common(home);
    environment.put("KUBECONFIG", kubeconfig.toString());
    environment.put("KUBECACHEDIR", discovery.toString());
    return environment;
  }

  Map<String, String> forDownloads(Path home) {
    var environment = common(home);
    environment.put("KUBECONFIG", home.resolve("none").toString());
    passThrough(PROXIES, environment);
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
    // It lives for a moment and mostly waits: collecting garbage on all processors costs a fifth of
    // an install and saves 25 MiB. Only a chart that fills the limit is worth it.
    environment.put("GOGC", "off");
    environment.put("GOMEMLIMIT", megabytes + "MiB");
    environment.put("GOMAXPROCS", "1");
    // Helm has all help texts of kubectl in it and unpacks them at each start, though it never
    // shows
    // one. The English ones cost 15 ms, the few of this language nothing; Helm itself speaks
    // English.
    environment.put("LC_MESSAGES", "zh_TW.UTF-8");
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
