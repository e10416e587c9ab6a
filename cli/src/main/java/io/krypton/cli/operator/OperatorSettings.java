package io.krypton.cli.operator;

import io.krypton.cli.operator.DiscoveryOptions.HomeOptions;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.home.HomeSource;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.observe.BindAddress;
import io.krypton.operator.release.helm.MemoryPlan;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.ParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
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
  ConcurrencyLimits workerLimits() {
    var all = discovery.workers == null ? MemoryPlan.ofThisProcess().workers() : discovery.workers;
    requirePositive("--workers", all);
    return new ConcurrencyLimits(all, Math.max(1, all / 2));
  }

  MemoryPlan memory() {
    var plan = MemoryPlan.ofThisProcess();
    return rollout.helmConcurrency == null ? plan : plan.withProcesses(rollout.helmConcurrency);
  }

  ConcurrencyLimits helmLimits() {
    var all = rollout.helmConcurrency == null ? memory().processes() : rollout.helmConcurrency;
    requirePositive("--helm-concurrency", all);
    var perCluster = rollout.helmConcurrencyPerCluster;
    if (perCluster == null) {
      return ConcurrencyLimits.sharing(all);
    }
    requirePositive("--helm-concurrency-per-cluster", perCluster);
    return new ConcurrencyLimits(all, Math.min(all, perCluster));
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
  ChartValues centralValues() {
    return chart.centralValues();
  }

  static ChartValues readValues(@Nullable Path file) {
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

  /** Which controllers a process runs, as {@code --controllers} names them. */
  static final class ControllerNames {
    static final String TENANTS = "tenants";
    static final String DEPLOYMENTS = "deployments";
    static final String KMS_HEALTH = "kmshealth";

    private static final List<String> ALL = List.of(TENANTS, DEPLOYMENTS, KMS_HEALTH);
    private static final String EVERYTHING = "*";

    private ControllerNames() {}

    /**
     * Reads a comma list, left to right: {@code *} adds all, {@code x} adds one, {@code -x} removes
     * one. A list that only removes begins with all.
     *
     * @throws IllegalArgumentException with a text for users
     */
    static Set<String> parse(String list) {
      var parts = List.of(list.strip().split("\\s*,\\s*"));
      var chosen = new LinkedHashSet<String>();
      if (parts.stream().allMatch(part -> part.startsWith("-"))) {
        chosen.addAll(ALL);
      }
      for (var part : parts) {
        if (part.equals(EVERYTHING)) {
          chosen.addAll(ALL);
        } else if (part.startsWith("-")) {
          chosen.remove(known(part.substring(1), list));
        } else {
          chosen.add(known(part, list));
        }
      }
      return Set.copyOf(chosen);
    }

    private static String known(String name, String list) {
      if (!ALL.contains(name)) {
        throw new IllegalArgumentException(
            "--controllers %s: '%s' is not known; use *, %s, or -name to leave one out"
                .formatted(list, name, String.join(", ", ALL)));
      }
      return name;
    }
  }
}
