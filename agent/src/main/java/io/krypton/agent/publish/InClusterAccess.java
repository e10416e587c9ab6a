package io.krypton.agent.publish;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** The service account that the kubelet mounts into a pod. */
public final class InClusterAccess implements AccessSource {
  public static final Path MOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private final Path directory;
  private final Map<String, String> environment;

  public InClusterAccess(Path directory, Map<String, String> environment) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Reading read() {
    var files = new CredentialFiles();
    return new Reading(read(files), files.asked());
  }

  private AccessState read(CredentialFiles files) {
    try {
      var server = server();
      var certificates = files.read("service account CA", directory.resolve("ca.crt"));
      Pem.certificates("service account CA", certificates);
      var token =
          BearerToken.of(
              "service account token",
              files.read("service account token", directory.resolve("token")));
      return new AccessState.Ready(new ApiAccess(server, null, false, certificates, token, null));
    } catch (UnusableAccess e) {
      return new AccessState.NotYet(e.reason());
    }
  }

  private URI server() throws UnusableAccess {
    var host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    var port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
    if (host.isEmpty() || port.isEmpty()) {
      throw new UnusableAccess(
          "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set:"
              + " not in a pod, set --kubeconfig");
    }
    var literal = host.contains(":") ? "[" + host + "]" : host;
    return ServerUrl.parse("KUBERNETES_SERVICE_HOST", "https://" + literal + ":" + port);
  }
}
