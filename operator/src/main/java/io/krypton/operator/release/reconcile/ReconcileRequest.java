// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.api.Annotations;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for since the status was written.
 *
 * @param requestedAt the value of the annotation, to be copied into the status
 * @param forceAt likewise
 */
public record ReconcileRequest(
    boolean changed,
    boolean requested,
    boolean forced,
    @Nullable String requestedAt,
    @Nullable String forceAt) {

  /** What a status says was acted on. */
  public record Handled(
      @Nullable Long generation, @Nullable String requestedAt, @Nullable String forceAt) {}

  public static ReconcileRequest of(ObjectMeta metadata, Handled handled) {
    var annotations =
        metadata.getAnnotations() == null ? Map.<String, String>of() : metadata.getAnnotations();
    var requestedAt = annotations.get(Annotations.REQUESTED_AT);
    var forceAt = annotations.get(Annotations.FORCE_AT);
    return new ReconcileRequest(
        !Objects.equals(metadata.getGeneration(), handled.generation()),
        requestedAt != null && !requestedAt.equals(handled.requestedAt()),
        forceAt != null && !forceAt.equals(handled.forceAt()),
        requestedAt,
        forceAt);
  }

  /** The latest request by hand that is not handled yet. */
  public @Nullable String pendingRequest() {
    if (requested) {
      return requestedAt;
    }
    return forced ? forceAt : null;
  }

  /** Past failures are forgotten when the user does something. */
  public boolean resetsFailures() {
    return changed || requested || forced;
  }
}
