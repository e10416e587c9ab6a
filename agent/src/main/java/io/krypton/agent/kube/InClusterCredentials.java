// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import io.krypton.agent.kube.ApiClientConfig.BearerToken;
import io.krypton.agent.kube.ApiClientConfig.ServerUrl;
import io.krypton.agent.kube.CredentialSource.CredentialState;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** The service account that the kubelet mounts into a pod. */
public final class InClusterCredentials implements CredentialSource {
  public static final Path MOUNT_PATH = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private final Path directory;
  private final Map<String, String> environment;

  public InClusterCredentials(Path directory, Map<String, String> environment) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Reading read() {
    var files = new CredentialFileReader();
    return new Reading(read(files), files.requestedFiles());
  }

  private CredentialState read(CredentialFileReader files) {
    try {
      var server = server();
      var certificates = files.read("service account CA", directory.resolve("ca.crt"));
      PemReader.certificates("service account CA", certificates);
      var token =
          BearerToken.of(
              "service account token",
              files.read("service account token", directory.resolve("token")));
      return new CredentialState.Ready(
          new ApiClientConfig(server, null, false, certificates, token, null));
    } catch (UnusableCredentialsException e) {
      return new CredentialState.NotYet(e.reason());
    }
  }

  private URI server() throws UnusableCredentialsException {
    var host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    var port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
    if (host.isEmpty() || port.isEmpty()) {
      throw new UnusableCredentialsException(
          "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set:"
              + " not in a pod, set --kubeconfig");
    }
    var literal = host.contains(":") ? "[" + host + "]" : host;
    return ServerUrl.parse("KUBERNETES_SERVICE_HOST", "https://" + literal + ":" + port);
  }
}
