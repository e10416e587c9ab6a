// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.krypton.multicluster.client.ApiReader;
import io.krypton.multicluster.client.ApiWriter;
import io.krypton.multicluster.client.ApiWriter.PatchFormat;
import io.krypton.multicluster.status.StatusComparison.OwnedFields;
import java.net.HttpURLConnection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Writes our part of the status of objects of one kind on one cluster: by server-side apply, so
 * that other writers keep theirs, against the version we have seen, and not at all if the object
 * says it already.
 *
 * <p>The objects given must carry their managed fields, as the caches of whole objects do: they
 * show which fields are ours and have to be removed.
 */
public final class StatusWriter<T extends HasMetadata> {
  private static final int TRIES = 3;
  private static final int UNPROCESSABLE = 422;
  private static final Set<Integer> FINAL_ANSWERS =
      Set.of(
          HttpURLConnection.HTTP_BAD_REQUEST,
          HttpURLConnection.HTTP_FORBIDDEN,
          HttpURLConnection.HTTP_BAD_METHOD,
          UNPROCESSABLE);

  private final KubernetesClient client;
  private final ApiWriter api;
  private final String fieldManager;
  private final ServedSchema schema;

  public StatusWriter(KubernetesClient client, String fieldManager) {
    var once =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestRetryBackoffLimit(0)
            .build();
    this.client = client.newClient(once).adapt(KubernetesClient.class);
    this.api = new ApiWriter(this.client);
    this.fieldManager = fieldManager;
    this.schema = new ServedSchema(this.client, System::nanoTime);
  }

  /** Computes our part of the status from the live object. */
  @FunctionalInterface
  public interface DesiredStatus<T> {
    /** A new object that holds nothing but our fields of the status; its metadata is ignored. */
    T from(T live);
  }

  /**
   * Patches the status to the desired one. After a conflict the object is read again, and the
   * desired status is computed again.
   *
   * @param seen the object as read, e.g. from a cache
   */
  public StatusResult<T> write(T seen, DesiredStatus<T> desiredStatus) {
    var live = Optional.of(seen);
    for (var tries = 0; tries < TRIES && live.isPresent(); tries++) {
      var ours = addressed(desiredStatus.from(live.get()), live.get());
      var fresh = json(ours);
      if (isUpToDate(live.get(), schema.pruned(fresh.path("status")))) {
        return new StatusResult.Unchanged<>(live.get());
      }
      try {
        return new StatusResult.Written<>(send(live.get(), fresh));
      } catch (KubernetesClientException refused) {
        if (FINAL_ANSWERS.contains(refused.getCode())) {
          return new StatusResult.Refused<>(
              refused.getCode(), String.valueOf(refused.getMessage()));
        }
        live = afterRefusal(refused, live.get(), fresh.path("status"));
      }
    }
    return live.isPresent() ? new StatusResult.Conflict<>(TRIES) : new StatusResult.Gone<>();
  }

  private T send(T live, JsonNode fresh) {
    if (fresh instanceof ObjectNode object && !schema.isStale()) {
      object.set("status", schema.pruned(fresh.path("status")));
    }
    var path =
        "%s/status?force=true&fieldManager=%s"
            .formatted(ApiWriter.pathOf(live), ApiReader.encoded(fieldManager));
    @SuppressWarnings("unchecked") // An object has its own type.
    var type = (Class<T>) live.getClass();
    return api.patch(path, PatchFormat.APPLY, fresh.toString(), type);
  }

  /** What to try the next time with; empty if the object is no more. */
  private Optional<T> afterRefusal(KubernetesClientException refused, T live, JsonNode status) {
    return switch (refused.getCode()) {
      case HttpURLConnection.HTTP_NOT_FOUND -> Optional.empty();
      case HttpURLConnection.HTTP_CONFLICT ->
          Optional.ofNullable(client.resource(live).get())
              .filter(reread -> isSameIncarnation(live, reread));
      case HttpURLConnection.HTTP_INTERNAL_ERROR -> {
        if (schema.lacksFieldsOf(live, status)) {
          yield Optional.of(live);
        }
        throw refused;
      }
      default -> throw refused;
    };
  }

  private T addressed(T fresh, T live) {
    var metadata = live.getMetadata();
    fresh.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(metadata.getNamespace())
            .withName(metadata.getName())
            .withUid(metadata.getUid())
            .withResourceVersion(metadata.getResourceVersion())
            .build());
    return fresh;
  }

  private boolean isUpToDate(T live, JsonNode wanted) {
    var owned = ownedBy(live);
    return !OwnedFields.exceed(owned, wanted)
        && StatusComparison.covers(statusOf(live), wanted, owned);
  }

  /** Of a custom resource without the rest of it, of which managed fields are the largest part. */
  private JsonNode statusOf(T live) {
    return live instanceof CustomResource<?, ?> custom
        ? json(Objects.requireNonNullElse(custom.getStatus(), MissingNode.getInstance()))
        : json(live).path("status");
  }

  private JsonNode ownedBy(T live) {
    return live.getMetadata().getManagedFields().stream()
        .filter(
            entry ->
                fieldManager.equals(entry.getManager())
                    && "status".equals(entry.getSubresource())
                    && "Apply".equals(entry.getOperation()))
        .findFirst()
        .map(entry -> json(entry.getFieldsV1()).path("f:status"))
        .orElse(MissingNode.getInstance());
  }

  private static boolean isSameIncarnation(HasMetadata seen, HasMetadata reread) {
    return Objects.equals(seen.getMetadata().getUid(), reread.getMetadata().getUid());
  }

  private JsonNode json(Object object) {
    return client.getKubernetesSerialization().convertValue(object, JsonNode.class);
  }

  /** How a status write ended. Failures of the transport are exceptions instead. */
  public sealed interface StatusResult<T> {
    /** Stored; {@code live} is the object as it is now. */
    record Written<T>(T live) implements StatusResult<T> {}

    /** The status is up to date; nothing was sent. */
    record Unchanged<T>(T live) implements StatusResult<T> {}

    /** Others changed the object faster than we could write; nothing of ours was stored. */
    record Conflict<T>(int tries) implements StatusResult<T> {}

    /** The object, or this incarnation of it, no longer exists. */
    record Gone<T>() implements StatusResult<T> {}

    /** The server refuses it, e.g. 403 or 422; a retry will not help. */
    record Refused<T>(int code, String message) implements StatusResult<T> {}
  }
}
