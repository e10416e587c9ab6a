// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.operator.OperatorSettings;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.RepoCredentials;
import io.krypton.operator.release.chart.RepoCredentials.FileCredentials;
import io.krypton.operator.release.chart.RepoCredentials.SecretCredentials;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import io.krypton.operator.release.values.ChartValues.ParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The one chart that is rolled out, and its central values. */
public final class ChartOptions {
  private static final String DEFAULT_NAME = "cert-manager";
  private static final String DEFAULT_VERSION = "1.19.1";

  @Option(
      names = "--chart-repo",
      paramLabel = "URL",
      description = "Where the chart is: http(s) index repository, oci://…, directory or .tgz.")
  String repo = "https://charts.jetstack.io";

  @Option(names = "--chart-name", paramLabel = "NAME", description = "Name of the chart.")
  String name = DEFAULT_NAME;

  @Option(
      names = "--chart-version",
      paramLabel = "VERSION",
      description = {
        "Exact SemVer; empty = the newest stable one at start.",
        "Not given: " + DEFAULT_VERSION + " of " + DEFAULT_NAME + ", the newest of other charts."
      })
  @Nullable String version;

  @Option(
      names = "--chart-repo-username",
      paramLabel = "NAME",
      description = "User of the repository or registry; needs --chart-repo-password-file.")
  @Nullable String repoUsername;

  @Option(
      names = "--chart-repo-password-file",
      paramLabel = "FILE",
      description = "Holds the password. All of these files are read anew for each download.")
  @Nullable Path repoPasswordFile;

  @Option(
      names = "--chart-repo-ca-file",
      paramLabel = "FILE",
      description = "Authorities (PEM) to trust instead of the public ones.")
  @Nullable Path repoCaFile;

  @Option(
      names = "--chart-repo-cert-file",
      paramLabel = "FILE",
      description = "Client certificate (PEM); needs --chart-repo-key-file.")
  @Nullable Path repoCertFile;

  @Option(
      names = "--chart-repo-key-file",
      paramLabel = "FILE",
      description = "Key of the client certificate (PEM).")
  @Nullable Path repoKeyFile;

  @Option(
      names = "--chart-repo-credentials-dir",
      paramLabel = "DIR",
      description = {
        "Mounted Secret with any of username, password, ca.crt, tls.crt, tls.key,",
        ".dockerconfigjson."
      })
  @Nullable Path repoCredentialsDir;

  @Option(
      names = "--chart-repo-credentials-secret",
      paramLabel = "[NS/]NAME",
      description = "Secret of home with the same keys, instead of files.")
  @Nullable String repoCredentialsSecret;

  @Option(
      names = "--chart-values-file",
      paramLabel = "FILE",
      description = "Central values (YAML), read at start.")
  @Nullable Path valuesFile;

  @Option(
      names = "--chart-install-crds",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "Value installCRDs, for charts that know it.")
  boolean installCrds = true;

  @Option(
      names = "--allow-chart-skip",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "A chart that cannot be loaded does not put an object into Error.")
  boolean allowSkip;

  OperatorSettings.Chart toSettings(String namespace) {
    return new OperatorSettings.Chart(
        reference(), credentials(namespace), centralValues(), installCrds, allowSkip);
  }

  /**
   * The chart itself.
   *
   * @throws IllegalArgumentException with a text for users
   */
  public ChartRef reference() {
    return ChartRef.of(repo, name, version());
  }

  /** A version that was chosen for one chart says nothing about another. */
  private String version() {
    if (version != null) {
      return version;
    }
    return name.equals(DEFAULT_NAME) ? DEFAULT_VERSION : "";
  }

  /**
   * What opens the repository.
   *
   * @param namespace of a Secret that is named without one
   * @param home the client of home, as soon as there is one
   * @throws IllegalArgumentException with a text for users
   */
  public RepoCredentials credentials(String namespace, Supplier<Optional<KubernetesClient>> home) {
    return credentials(namespace).apply(home);
  }

  private Function<Supplier<Optional<KubernetesClient>>, RepoCredentials> credentials(
      String namespace) {
    var files = new HashMap<String, FileCredentials.Named>();
    file("password", "--chart-repo-password-file", repoPasswordFile, files);
    file("ca.crt", "--chart-repo-ca-file", repoCaFile, files);
    file("tls.crt", "--chart-repo-cert-file", repoCertFile, files);
    file("tls.key", "--chart-repo-key-file", repoKeyFile, files);
    if (repoCredentialsSecret != null) {
      if (repoUsername != null || repoCredentialsDir != null || !files.isEmpty()) {
        throw new IllegalArgumentException(
            "--chart-repo-credentials-secret: leave out all other --chart-repo-… credentials");
      }
      var secret = secret(repoCredentialsSecret, namespace);
      return home -> new SecretCredentials(secret, home);
    }
    if (repoCredentialsDir == null) {
      together(
          "--chart-repo-username", repoUsername, "--chart-repo-password-file", files, "password");
      together("--chart-repo-cert-file", repoCertFile, "--chart-repo-key-file", files, "tls.key");
    }
    var credentials = new FileCredentials(repoCredentialsDir, repoUsername, files);
    return home -> credentials;
  }

  private static void file(
      String key, String flag, @Nullable Path file, Map<String, FileCredentials.Named> files) {
    if (file != null) {
      files.put(key, new FileCredentials.Named(flag, file));
    }
  }

  private static void together(
      String flag,
      @Nullable Object value,
      String other,
      Map<String, FileCredentials.Named> files,
      String key) {
    if ((value == null) == files.containsKey(key)) {
      throw new IllegalArgumentException(
          "%s: give %s, too".formatted(value == null ? other : flag, value == null ? flag : other));
    }
  }

  private static SecretRef secret(String text, String namespace) {
    var slash = text.indexOf('/');
    try {
      return slash < 0
          ? new SecretRef(namespace, text)
          : new SecretRef(text.substring(0, slash), text.substring(slash + 1));
    } catch (IllegalArgumentException bad) {
      throw new IllegalArgumentException(
          "--chart-repo-credentials-secret '%s': write NAME or NAMESPACE/NAME".formatted(text),
          bad);
    }
  }

  /**
   * What the values file holds.
   *
   * @throws IllegalArgumentException with a text for users
   */
  public ChartValues centralValues() {
    var file = valuesFile;
    if (file == null) {
      return ChartValues.empty();
    }
    try {
      return switch (ChartValues.parse("--chart-values-file " + file, Files.readString(file))) {
        case ParseResult.Parsed(var chartValues) -> chartValues;
        case ParseResult.Invalid(var message) -> throw new IllegalArgumentException(message);
      };
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "--chart-values-file %s cannot be read: %s".formatted(file, unreadable.getMessage()),
          unreadable);
    }
  }

  /** What Tenants get beneath their values. */
  public DefaultValue beneathTenants() {
    return DefaultValue.installCrds(installCrds);
  }
}
