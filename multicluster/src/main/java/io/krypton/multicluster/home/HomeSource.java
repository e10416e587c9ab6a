// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the credentials for home come from. Any of it may be missing for a while. */
public sealed interface HomeSource {

  /** A source on this machine, read again and again. */
  sealed interface Local extends HomeSource {
    LocalKubeconfig.Loaded load();
  }

  /** Kubeconfig files that are read as one, as kubectl does; no context means the current one. */
  record Files(List<Path> paths, @Nullable String context) implements Local {
    public Files {
      paths = List.copyOf(paths);
    }

    @Override
    public LocalKubeconfig.Loaded load() {
      return LocalKubeconfig.read(paths, context);
    }

    /** One path, or several with the separator of paths between them, as in KUBECONFIG. */
    public static Files of(Path list, @Nullable String context) {
      var paths =
          Arrays.stream(list.toString().split(File.pathSeparator))
              .filter(path -> !path.isEmpty())
              .map(Path::of)
              .toList();
      return new Files(paths.isEmpty() ? List.of(list) : paths, context);
    }
  }

  /** The service account of the pod we run in. */
  record InCluster(URI server, Path directory) implements Local {
    @Override
    public LocalKubeconfig.Loaded load() {
      return LocalKubeconfig.ofServiceAccount(
          server, directory.resolve("ca.crt"), directory.resolve("token"));
    }
  }

  /** A Secret on the host cluster: awaited while it is missing, followed when it changes. */
  record HostSecret(Local host, SecretRef secret, String key, @Nullable String context)
      implements HomeSource {}

  /** The host cluster: the given file, else the pod's service account, else the user's file. */
  static Local host(@Nullable Path kubeconfig, Map<String, String> environment, Path userHome) {
    if (kubeconfig != null) {
      return Files.of(kubeconfig, null);
    }
    var address = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    if (!address.isEmpty()) {
      var port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
      var bracketed = address.contains(":") ? "[" + address + "]" : address;
      return new InCluster(
          URI.create("https://" + bracketed + ":" + port),
          Path.of("/var/run/secrets/kubernetes.io/serviceaccount"));
    }
    return Files.of(userHome.resolve(".kube").resolve("config"), null);
  }
}
