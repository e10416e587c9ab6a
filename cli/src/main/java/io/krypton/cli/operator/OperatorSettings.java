package io.krypton.cli.operator;

import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.cluster.home.HomeSource;
import io.krypton.multicluster.queue.Limits;
import io.krypton.operator.helm.MemoryPlan;
import io.krypton.operator.observe.BindAddress;
import io.krypton.operator.values.ParsedValues;
import io.krypton.operator.values.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The flags of the operator together with what they mean on this machine. */
record OperatorSettings(
    ChartOptions chart,
    HomeOptions home,
    DiscoveryOptions discovery,
    RolloutOptions rollout,
    ProcessOptions process,
    KmsOptions kms,
    Map<String, String> environment) {
  private static final Path NAMESPACE_FILE =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

  /**
   * @throws IllegalArgumentException with a text for users
   */
  Set<String> controllers() {
    return ControllerNames.parse(process.controllers);
  }

  /** The namespace of kubeconfig Secrets and of the Lease. */
  String namespace() {
    if (!home.namespace.isEmpty()) {
      return home.namespace;
    }
    return mountedNamespace().orElse("default");
  }

  /**
   * The namespace that the operator itself runs in, where its own Deployment is and its ConfigMaps
   * are mounted from. Kubeconfig Secrets may be in another, and on another cluster.
   */
  String podNamespace() {
    var given = environment.getOrDefault("POD_NAMESPACE", "");
    return given.isEmpty() ? mountedNamespace().orElseGet(this::namespace) : given;
  }

  private static Optional<String> mountedNamespace() {
    try {
      return Files.exists(NAMESPACE_FILE)
          ? Optional.of(Files.readString(NAMESPACE_FILE).strip())
          : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** Namespaces that belong to the operator, so that no release may go there. */
  Set<String> ownNamespaces() {
    var own = new HashSet<String>();
    own.add(namespace());
    var pod = environment.getOrDefault("POD_NAMESPACE", "");
    if (!pod.isEmpty()) {
      own.add(pod);
    }
    return own;
  }

  HomeSource homeSource() {
    var host =
        HomeSource.host(home.kubeconfig, environment, Path.of(System.getProperty("user.home")));
    if (home.watchSecret != null) {
      var namespace = home.watchSecretNamespace == null ? namespace() : home.watchSecretNamespace;
      return new HomeSource.HostSecret(
          host, new SecretRef(namespace, home.watchSecret), home.watchSecretKey, home.watchContext);
    }
    return home.watchKubeconfig == null
        ? host
        : HomeSource.Files.of(home.watchKubeconfig, home.watchContext);
  }

  /** Empty means all. */
  Set<String> watchNamespaces() {
    var names =
        Arrays.stream(home.watchNamespaces.split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toSet());
    return names.contains("*") ? Set.of() : names;
  }

  /** Who we are in events and in the Lease. */
  String instanceName() {
    for (var variable : new String[] {"POD_NAME", "HOSTNAME"}) {
      var value = environment.getOrDefault(variable, "");
      if (!value.isEmpty()) {
        return value;
      }
    }
    return "krypton-operator";
  }

  /** Reconciles at once; at most half of them for one cluster. */
  Limits workerLimits() {
    var all = discovery.workers == null ? MemoryPlan.ofThisProcess().workers() : discovery.workers;
    requirePositive("--workers", all);
    return new Limits(all, Math.max(1, all / 2));
  }

  MemoryPlan memory() {
    var plan = MemoryPlan.ofThisProcess();
    return rollout.helmConcurrency == null ? plan : plan.withProcesses(rollout.helmConcurrency);
  }

  Limits helmLimits() {
    var all = rollout.helmConcurrency == null ? memory().processes() : rollout.helmConcurrency;
    requirePositive("--helm-concurrency", all);
    var perCluster = rollout.helmConcurrencyPerCluster;
    if (perCluster == null) {
      return Limits.sharing(all);
    }
    requirePositive("--helm-concurrency-per-cluster", perCluster);
    return new Limits(all, Math.min(all, perCluster));
  }

  private static void requirePositive(String flag, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("%s=%d; use at least 1".formatted(flag, value));
    }
  }

  BindAddress metricsAddress() {
    return BindAddress.parse("--metrics-bind-address", process.metricsAddress);
  }

  BindAddress healthAddress() {
    return BindAddress.parse("--health-probe-bind-address", process.healthAddress);
  }

  /**
   * @throws IllegalArgumentException with a text for users
   */
  Values centralValues() {
    return chart.centralValues();
  }

  static Values readValues(@Nullable Path file) {
    if (file == null) {
      return Values.empty();
    }
    try {
      return switch (Values.parse("--chart-values-file " + file, Files.readString(file))) {
        case ParsedValues.Parsed(var values) -> values;
        case ParsedValues.Invalid(var message) -> throw new IllegalArgumentException(message);
      };
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "--chart-values-file %s cannot be read: %s".formatted(file, unreadable.getMessage()),
          unreadable);
    }
  }
}
