// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.krypton.multicluster.leader.LeaseStore.LeaseRecord;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Lease object. The client should be one of its own: connect timeout 2 s, request timeout 5 s, no
 * retries inside, so that a slow call costs one attempt and not the term.
 */
public final class KubernetesLeaseStore implements LeaseStore {
  private final KubernetesClient client;
  private final String namespace;
  private final String name;
  private final Runnable onTimeout;

  public KubernetesLeaseStore(KubernetesClient client, String namespace, String name) {
    this(client, namespace, name, () -> {});
  }

  /**
   * The same on a client whose connection can be replaced.
   *
   * @param onTimeout called when a request timed out: its connection may be dead, and the next
   *     attempt must not be sent on it
   */
  public KubernetesLeaseStore(
      KubernetesClient client, String namespace, String name, Runnable onTimeout) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
    this.onTimeout = onTimeout;
  }

  @Override
  public Optional<LeaseRecord> read() {
    return Optional.ofNullable(withTimeoutHook(() -> resource().get()))
        .map(KubernetesLeaseStore::toRecord);
  }

  @Override
  public Optional<LeaseRecord> create(LeaseRecord wanted) {
    return unlessConflict(() -> client.resource(toLease(wanted)).create());
  }

  @Override
  public Optional<LeaseRecord> replace(LeaseRecord wanted) {
    return unlessConflict(() -> client.resource(toLease(wanted)).update());
  }

  private Optional<LeaseRecord> unlessConflict(Supplier<Lease> write) {
    try {
      return Optional.of(toRecord(withTimeoutHook(write)));
    } catch (KubernetesClientException refused) {
      // Deleted meanwhile is a lost race, too.
      if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT
          || refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  private <V extends @Nullable Object> V withTimeoutHook(Supplier<V> call) {
    try {
      return call.get();
    } catch (KubernetesClientException failed) {
      if (isTimeout(failed)) {
        onTimeout.run();
      }
      throw failed;
    }
  }

  /** Timed out by the client, or by the caller, who then interrupts. */
  private static boolean isTimeout(Throwable failed) {
    return Stream.iterate(failed, Objects::nonNull, Throwable::getCause)
        .anyMatch(
            cause ->
                cause instanceof HttpTimeoutException
                    || cause instanceof TimeoutException
                    || cause instanceof InterruptedIOException
                    || cause instanceof InterruptedException);
  }

  private Resource<Lease> resource() {
    return client.leases().inNamespace(namespace).withName(name);
  }

  private Lease toLease(LeaseRecord record) {
    var held = !record.holder().isEmpty();
    return new LeaseBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .withResourceVersion(record.version().isEmpty() ? null : record.version())
        .endMetadata()
        .withNewSpec()
        .withHolderIdentity(record.holder())
        .withLeaseDurationSeconds((int) Math.max(1, record.duration().toSeconds()))
        .withAcquireTime(held ? record.acquired().atZone(ZoneOffset.UTC) : null)
        .withRenewTime(record.renewed().atZone(ZoneOffset.UTC))
        .withLeaseTransitions(record.transitions())
        .endSpec()
        .build();
  }

  private static LeaseRecord toRecord(Lease lease) {
    var spec = lease.getSpec();
    return new LeaseRecord(
        Objects.requireNonNullElse(spec.getHolderIdentity(), ""),
        Duration.ofSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 0)),
        toInstant(spec.getAcquireTime()),
        toInstant(spec.getRenewTime()),
        Objects.requireNonNullElse(spec.getLeaseTransitions(), 0),
        lease.getMetadata().getResourceVersion());
  }

  private static Instant toInstant(@Nullable ZonedDateTime time) {
    return time == null ? Instant.EPOCH : time.toInstant();
  }
}
