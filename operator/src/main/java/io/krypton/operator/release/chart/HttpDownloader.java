// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import io.krypton.operator.release.helm.RepoAccess;
import io.krypton.operator.tls.serving.ClientTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Downloads to a file within a time and a size, with the credentials of one repository. */
final class HttpDownloader implements AutoCloseable {
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
  private static final int MOST_REDIRECTS = 5;

  private final Duration limit;
  private final URI repo;
  private final RepoAccess access;
  private final ProxyEnvironment proxies;
  private final HttpClient client;

  /**
   * For one repository.
   *
   * @param environment of this process; its proxies and authorities count as they do for Helm
   */
  HttpDownloader(Duration limit, URI repo, RepoAccess access, Map<String, String> environment)
      throws ChartLoadException {
    this.limit = limit;
    this.repo = repo;
    this.access = access;
    this.proxies = new ProxyEnvironment(environment);
    var builder =
        HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .followRedirects(Redirect.NEVER)
            .proxy(new EnvironmentProxySelector());
    var authority = access.authority() == null ? systemAuthority(environment) : access.authority();
    if (authority != null || access.certificate() != null) {
      try {
        builder.sslContext(ClientTls.context(authority, access.certificate(), access.key()));
      } catch (IOException unusable) {
        throw ChartLoadException.notLoaded(
            "TLS settings of the chart repository: " + unusable.getMessage());
      }
    }
    this.client = builder.build();
  }

  private static @Nullable String systemAuthority(Map<String, String> environment)
      throws ChartLoadException {
    var file = environment.getOrDefault("SSL_CERT_FILE", "");
    try {
      return file.isEmpty()
          ? null
          : new String(Files.readAllBytes(Path.of(file)), StandardCharsets.ISO_8859_1);
    } catch (IOException unreadable) {
      throw ChartLoadException.notLoaded("SSL_CERT_FILE %s cannot be read".formatted(file));
    }
  }

  /** The HTTP status; the file holds the body, whatever the status. */
  int get(URI uri, Path file, long largest) throws ChartLoadException {
    var end = System.nanoTime() + limit.toNanos();
    var at = uri;
    for (int redirects = 0; ; redirects++) {
      var answer = send(at, file, largest, Duration.ofNanos(end - System.nanoTime()));
      var next = redirects < MOST_REDIRECTS ? next(at, answer) : Optional.<URI>empty();
      if (next.isEmpty()) {
        return answer.statusCode();
      }
      at = next.get();
    }
  }

  /** By hand: the client of the JDK would show a password to whatever server it is sent to. */
  private static Optional<URI> next(URI at, HttpResponse<Path> answer) {
    if (!REDIRECTS.contains(answer.statusCode())) {
      return Optional.empty();
    }
    try {
      return answer
          .headers()
          .firstValue("Location")
          .map(location -> at.resolve(URI.create(location)))
          .filter(
              next ->
                  "https".equals(next.getScheme())
                      || ("http".equals(next.getScheme()) && "http".equals(at.getScheme())));
    } catch (IllegalArgumentException noUrl) {
      return Optional.empty();
    }
  }

  private HttpResponse<Path> send(URI uri, Path file, long largest, Duration left)
      throws ChartLoadException {
    var body =
        BodyHandlers.ofFile(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
    var answer = client.sendAsync(request(uri), BodyHandlers.limiting(body, largest));
    try {
      // Not the timeout of the request, which ends with the headers: a body may trickle for ever.
      return answer.get(left.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw ChartLoadException.notLoaded(
          "%s: no answer within %d s".formatted(uri, limit.toSeconds()));
    } catch (ExecutionException e) {
      throw ChartLoadException.notLoaded("%s: %s".formatted(uri, reason(e.getCause())));
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw ChartLoadException.notLoaded(uri + ": stopped");
    }
  }

  private HttpRequest request(URI uri) throws ChartLoadException {
    try {
      var request = HttpRequest.newBuilder(uri);
      if (isOfRepo(uri)) {
        access.basicAuthorization().ifPresent(basic -> request.header("Authorization", basic));
      }
      proxies
          .proxyFor(uri)
          .map(URI::getUserInfo)
          .ifPresent(login -> request.header("Proxy-Authorization", "Basic " + encoded(login)));
      return request.build();
    } catch (IllegalArgumentException bad) {
      throw ChartLoadException.notLoaded("%s: %s".formatted(uri, bad.getMessage()));
    }
  }

  /** An index may point anywhere; only its own server gets to see the password. */
  private boolean isOfRepo(URI uri) {
    return Objects.equals(uri.getScheme(), repo.getScheme())
        && String.valueOf(uri.getHost()).equalsIgnoreCase(repo.getHost())
        && portOf(uri) == portOf(repo);
  }

  private static int portOf(URI uri) {
    return uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
  }

  private static String encoded(String login) {
    return Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
  }

  private static String reason(@Nullable Throwable cause) {
    return switch (cause) {
      case ConnectException refused -> "cannot connect";
      case SSLException refused ->
          "TLS failed: %s; see --chart-repo-ca-file and --chart-repo-cert-file"
              .formatted(refused.getMessage());
      case IOException problem when problem.getMessage() != null -> problem.getMessage();
      case null -> "failed";
      default -> cause.getClass().getSimpleName();
    };
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  private final class EnvironmentProxySelector extends ProxySelector {
    @Override
    public List<Proxy> select(URI uri) {
      return proxies
          .proxyFor(uri)
          .map(
              proxy ->
                  new Proxy(
                      Proxy.Type.HTTP,
                      InetSocketAddress.createUnresolved(
                          proxy.getHost(), proxy.getPort() < 0 ? 80 : proxy.getPort())))
          .map(List::of)
          .orElse(List.of(Proxy.NO_PROXY));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress proxy, IOException failure) {
      // The request itself fails, with a message.
    }
  }
}
