package io.krypton.cli.view;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the access to the cluster comes from, in kubectl's order. */
sealed interface KubeconfigChoice {
  /** One file, or the several of KUBECONFIG that are read as one. */
  record FromFiles(List<Path> paths) implements KubeconfigChoice {}

  /** The service account of the pod we run in. */
  record InCluster() implements KubeconfigChoice {}

  /** The flag, else KUBECONFIG, else the user's file, else the pod we run in. */
  static KubeconfigChoice of(
      @Nullable String flag, Map<String, String> environment, Path userHome) {
    if (flag != null && !flag.isEmpty()) {
      return new FromFiles(List.of(existing(Path.of(flag), "--kubeconfig")));
    }
    var named =
        Arrays.stream(environment.getOrDefault("KUBECONFIG", "").split(File.pathSeparator))
            .filter(name -> !name.isBlank())
            .map(Path::of)
            .toList();
    if (!named.isEmpty()) {
      var present = named.stream().filter(Files::exists).toList();
      return new FromFiles(
          present.isEmpty() ? List.of(existing(named.getFirst(), "KUBECONFIG")) : present);
    }
    var usual = userHome.resolve(".kube").resolve("config");
    if (Files.exists(usual)) {
      return new FromFiles(List.of(usual));
    }
    if (!environment.getOrDefault("KUBERNETES_SERVICE_HOST", "").isEmpty()) {
      return new InCluster();
    }
    throw UserError.usage(
        "no kubeconfig: KUBECONFIG is not set and %s does not exist; name one with --kubeconfig"
            .formatted(usual));
  }

  private static Path existing(Path file, String origin) {
    if (!Files.isRegularFile(file)) {
      throw UserError.usage(
          "%s %s %s; name a kubeconfig file with --kubeconfig"
              .formatted(origin, file, Files.exists(file) ? "is not a file" : "does not exist"));
    }
    return file;
  }
}
