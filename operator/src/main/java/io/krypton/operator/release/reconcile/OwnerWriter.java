// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.condition.Condition;
import io.krypton.api.event.EventReason;
import io.krypton.multicluster.event.EventMessage;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.multicluster.status.StatusWriter.StatusResult;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.UncheckedObject;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The object that one run is about, whatever its kind: what its user requested, and how status,
 * annotations and events are written. It always holds the object as the last write has left it.
 */
public final class OwnerWriter<T extends HasMetadata> {
  private final Access<T> access;
  private final Memory<T> memory;
  private final String key;
  private final Function<T, ReconcileRequest.Handled> inStatus;
  private final ReconcileRequest request;

  /** A step that lasts is written by another thread. */
  private volatile T object;

  /** Null as long as this run has not inspected the release. */
  private @Nullable List<UncheckedObject> unchecked;

  /** Where objects of the kind are written. */
  public record Access<T extends HasMetadata>(
      KubernetesClient client, StatusWriter<T> statuses, EventRecorder events) {}

  /** What this process knows of all objects of the kind beyond what their caches show. */
  public record Memory<T extends HasMetadata>(HandledRequests handled, OwnWrites<T> writes) {
    public Memory() {
      this(new HandledRequests(), new OwnWrites<>());
    }

    /** The object is gone. */
    public void forget(String key) {
      handled.forget(key);
      writes.forget(key);
    }
  }

  /** What became of a status. */
  public enum WriteResult {
    WRITTEN,
    UNCHANGED,
    /** The object is gone, or the server refused; an event says so. */
    NOT_WRITTEN
  }

  /**
   * Nothing is written yet.
   *
   * @param key unique among all objects of all clusters
   * @param inStatus the requests that the status of an object says were handled
   */
  public OwnerWriter(
      T object,
      Access<T> access,
      Memory<T> memory,
      String key,
      Function<T, ReconcileRequest.Handled> inStatus) {
    this.object = object;
    this.access = access;
    this.memory = memory;
    this.key = key;
    this.inStatus = inStatus;
    this.request =
        ReconcileRequest.of(
            object.getMetadata(),
            memory.handled().handled(key, object.getMetadata().getUid(), inStatus.apply(object)));
  }

  public T object() {
    return object;
  }

  /** Goes on with the object as one of our own writes has left it. */
  public void refresh(T written) {
    memory.writes().replaced(key, object, written);
    object = written;
  }

  public ReconcileRequest request() {
    return request;
  }

  public void emit(RolloutEventMessage event) {
    var reason = event.reason().value();
    access
        .events()
        .record(
            event.isWarning()
                ? EventMessage.warning(object, reason, event.message())
                : EventMessage.normal(object, reason, event.message()));
  }

  /** Writes the status if it differs. */
  public WriteResult write(StatusWriter.DesiredStatus<T> next) {
    return switch (access.statuses().write(object, next)) {
      case StatusResult.Written<T>(var live) -> {
        refresh(live);
        yield WriteResult.WRITTEN;
      }
      case StatusResult.Unchanged<T>(var live) -> {
        refresh(live);
        yield WriteResult.UNCHANGED;
      }
      case StatusResult.Gone<T> gone -> WriteResult.NOT_WRITTEN;
      case StatusResult.Conflict<T>(var tries) ->
          notWritten("changed by others %d times".formatted(tries));
      case StatusResult.Refused<T>(var code, var message) ->
          notWritten("HTTP %d: %s".formatted(code, message));
    };
  }

  private WriteResult notWritten(String why) {
    emit(new RolloutEventMessage(EventReason.STATUS_UPDATE_FAILED, why));
    return WriteResult.NOT_WRITTEN;
  }

  /**
   * The request of this run is handled. An older definition prunes status fields that it does not
   * know; this process remembers them.
   *
   * @param helmRan else a forced run is still due
   */
  public void markHandled(boolean helmRan) {
    memory
        .handled()
        .markHandled(
            key,
            object.getMetadata().getUid(),
            new ReconcileRequest.Handled(
                object.getMetadata().getGeneration(),
                request.requestedAt(),
                helmRan ? request.forceAt() : null),
            inStatus.apply(object));
  }

  /** The inspection of this run; its result goes into the next status. */
  public void setUnchecked(List<UncheckedObject> objects) {
    unchecked = objects;
  }

  /**
   * The conditions with the one of this type about the inspection of this run, if there was one.
   */
  public List<Condition> withInspection(List<Condition> conditions, String type) {
    return unchecked == null
        ? conditions
        : UncheckedObject.withCondition(conditions, type, unchecked);
  }

  public @Nullable String annotation(String name) {
    return annotation(object, name);
  }

  static @Nullable String annotation(HasMetadata object, String name) {
    var annotations = object.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(name);
  }

  /**
   * Sets or, with null, removes an annotation.
   *
   * @return whether it was written: not if it is so already, or the object is gone
   */
  public boolean annotate(String name, @Nullable String value) {
    if (Objects.equals(annotation(name), value)) {
      return false;
    }
    var written = OwnerPatches.annotate(access.client(), object, name, value);
    written.ifPresent(this::refresh);
    return written.isPresent();
  }
}
