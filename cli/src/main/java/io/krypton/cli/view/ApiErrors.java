// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.KryptonApi;
import io.krypton.multicluster.client.ApiReader;
import io.krypton.multicluster.client.ClusterFailure;
import java.net.HttpURLConnection;
import java.util.List;

/** Says what an API server refused or a network broke, and what helps. */
public final class ApiErrors {
  private ApiErrors() {}

  static CliException explained(KubernetesClientException failed, Session session) {
    var clusterFailure = ClusterFailure.of(failed);
    return CliException.failure(
        switch (clusterFailure.kind()) {
          case NO_CONNECTION, TIMEOUT, TLS ->
              "%s cannot be reached: %s; check --context and the network"
                  .formatted(session.server(), clusterFailure.message());
          case CREDENTIALS_REFUSED, BAD_ANSWER, NOT_PREPARED -> answered(failed, session);
        });
  }

  private static String answered(KubernetesClientException failed, Session session) {
    return switch (failed.getCode()) {
      case HttpURLConnection.HTTP_UNAUTHORIZED ->
          "%s refused the credentials of context %s (401); log in again or choose another --context"
              .formatted(session.server(), session.context());
      case HttpURLConnection.HTTP_FORBIDDEN ->
          "%s; ask for that right or choose another --context".formatted(said(failed));
      case HttpURLConnection.HTTP_NOT_FOUND ->
          ("%s does not serve what was asked for; if this is the right --context, install"
                  + " Krypton's CRDs or let the operator engage the cluster")
              .formatted(session.server());
      default -> "%s answered: %s".formatted(session.server(), said(failed));
    };
  }

  /** Fails, with the remedy, if the cluster does not serve a kind of ours. */
  public static void requireServed(Session session, List<String> plurals) {
    var served = served(session.api());
    for (var plural : plurals) {
      if (!served.contains(plural)) {
        throw CliException.failure(
            ("%s.%s is not installed on %s; is this the right --context? The operator installs its"
                    + " CRDs on every cluster it engages")
                .formatted(plural, KryptonApi.GROUP, session.server()));
      }
    }
  }

  /** The plurals of our kinds that the cluster knows. */
  private static List<String> served(ApiReader api) {
    try {
      var group = api.get("/apis/%s/%s".formatted(KryptonApi.GROUP, KryptonApi.VERSION));
      return ObjectTree.each(group.path("resources"), kind -> kind.path("name").asText(""));
    } catch (KubernetesClientException failed) {
      if (isNotFound(failed)) {
        return List.of();
      }
      throw failed;
    }
  }

  public static boolean isForbidden(KubernetesClientException failed) {
    return failed.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
  }

  public static boolean isNotFound(KubernetesClientException failed) {
    return failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
  }

  private static String said(KubernetesClientException failed) {
    var status = failed.getStatus();
    var message = status == null ? null : status.getMessage();
    return message == null
        ? ClusterFailure.of(failed).message()
        : message.lines().findFirst().orElse("");
  }
}
