package io.krypton.cli.fleet;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.tenant.Tenant;
import io.krypton.cli.view.ApiErrors;
import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.client.Failure;
import io.krypton.multicluster.cluster.client.ProbeResult;
import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks all clusters at once, each under the same policy on kubeconfigs as the operator's. */
final class LiveLooks {
  private static final Duration CONNECT = Duration.ofSeconds(3);

  private final ClientFactory clients;
  private final DiscoveryChoice choice;
  private final Duration limit;

  LiveLooks(ClientFactory clients, DiscoveryChoice choice) {
    this.clients = clients;
    this.choice = choice;
    this.limit = choice.timeout();
  }

  /** One answer for each Secret, in the same order. */
  List<LiveLook> at(List<Secret> secrets) throws InterruptedException {
    var executor = Executors.newVirtualThreadPerTaskExecutor();
    try {
      var asking = secrets.stream().map(secret -> (Callable<LiveLook>) () -> at(secret)).toList();
      var answers = executor.invokeAll(asking, limit.toMillis(), TimeUnit.MILLISECONDS);
      var looks = new ArrayList<LiveLook>();
      for (var answer : answers) {
        looks.add(result(answer));
      }
      return looks;
    } finally {
      // Not close(): whoever hangs in a connection must not hold up those who answered.
      executor.shutdownNow();
    }
  }

  private LiveLook result(Future<LiveLook> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (CancellationException late) {
      return new LiveLook.Dead("no answer within %d s".formatted(limit.toSeconds()));
    } catch (ExecutionException failed) {
      return new LiveLook.Dead(Failure.of(failed).message());
    }
  }

  private LiveLook at(Secret secret) throws InterruptedException {
    return switch (choice.kubeconfig(secret)) {
      case Kubeconfig.Refused(var reason) -> new LiveLook.Refused(reason);
      case Kubeconfig.Accepted accepted -> at(secret.getMetadata().getName(), accepted);
    };
  }

  private LiveLook at(String name, Kubeconfig.Accepted accepted) throws InterruptedException {
    var settings =
        ClientSettings.remote("krypton-cli").withoutRetries().withTimeouts(CONNECT, limit);
    try (var connection = clients.connect(name, accepted, settings)) {
      return switch (connection.probe(limit)) {
        case ProbeResult.Failed(var failure) -> new LiveLook.Dead(failure.message());
        case ProbeResult.Alive(var version) -> at(version, connection.client());
      };
    }
  }

  /** Also for the cluster that the user is on, with the user's own client. */
  static LiveLook.Answered at(String version, KubernetesClient client) {
    var gaps = new StringJoiner("; ");
    return new LiveLook.Answered(
        version, tenants(client, gaps), kms(client, gaps), gaps.toString());
  }

  private static @Nullable List<Tenant> tenants(KubernetesClient client, StringJoiner gaps) {
    try {
      return client.resources(Tenant.class).inAnyNamespace().list().getItems();
    } catch (KubernetesClientException refused) {
      gaps.add(gap("Tenants", refused));
      return null;
    }
  }

  private static @Nullable KmsHealth kms(KubernetesClient client, StringJoiner gaps) {
    try {
      return client.resources(KmsHealth.class).withName(KmsHealth.NAME).get();
    } catch (KubernetesClientException refused) {
      gaps.add(gap("KmsHealth", refused));
      return null;
    }
  }

  private static String gap(String what, KubernetesClientException refused) {
    if (ApiErrors.isNotFound(refused)) {
      return what + ": not installed";
    }
    return ApiErrors.isForbidden(refused)
        ? what + ": not allowed"
        : what + ": " + Failure.of(refused).message();
  }
}
