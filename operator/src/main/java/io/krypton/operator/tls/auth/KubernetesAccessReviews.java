// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.auth;

import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.client.SingleAttempt;
import io.krypton.operator.tls.auth.AccessReviews.TokenStatus;
import io.krypton.operator.tls.auth.CallerToken.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends TokenReviews and SubjectAccessReviews. */
public final class KubernetesAccessReviews implements AccessReviews {
  private static final int TOO_MANY_REQUESTS = 429;

  private final Supplier<Optional<KubernetesClient>> server;
  private final Duration timeout;

  /**
   * @param server empty while nobody knows where the API server is
   */
  public KubernetesAccessReviews(Supplier<Optional<KubernetesClient>> server, Duration timeout) {
    this.server = server;
    this.timeout = timeout;
  }

  @Override
  public TokenStatus authenticate(CallerToken token) throws ReviewFailedException {
    var review = new TokenReviewBuilder().withNewSpec().withToken(token.value()).endSpec().build();
    try {
      var status = client().tokenReviews().create(review).getStatus();
      if (status == null) {
        throw new ReviewFailedException(false, "no status");
      }
      if (status.getError() != null && !status.getError().isEmpty()) {
        return new TokenStatus.Inconclusive();
      }
      return Boolean.TRUE.equals(status.getAuthenticated())
          ? new TokenStatus.Authenticated(principal(status.getUser()))
          : new TokenStatus.Unauthenticated();
    } catch (KubernetesClientException failed) {
      throw reviewFailed(failed);
    }
  }

  @Override
  public boolean isAllowed(Principal principal, String path, String verb)
      throws ReviewFailedException {
    var review =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser(principal.name())
            .withUid(principal.uid())
            .withGroups(principal.groups())
            .withExtra(principal.extra())
            .withNewNonResourceAttributes()
            .withPath(path)
            .withVerb(verb)
            .endNonResourceAttributes()
            .endSpec()
            .build();
    try {
      var status = client().authorization().v1().subjectAccessReview().create(review).getStatus();
      if (status == null) {
        throw new ReviewFailedException(false, "no status");
      }
      return Boolean.TRUE.equals(status.getAllowed());
    } catch (KubernetesClientException failed) {
      throw reviewFailed(failed);
    }
  }

  private KubernetesClient client() throws ReviewFailedException {
    var found =
        server.get().orElseThrow(() -> new ReviewFailedException(true, "no API server known"));
    return SingleAttempt.of(found, timeout);
  }

  /** Without the cause: its message may quote what the server made of our request. */
  private static ReviewFailedException reviewFailed(KubernetesClientException failed) {
    var code = failed.getCode();
    var retriable = code == 0 || code == TOO_MANY_REQUESTS || code >= 500;
    return new ReviewFailedException(retriable, code == 0 ? "no answer" : "HTTP " + code);
  }

  private static Principal principal(UserInfo user) {
    return new Principal(
        orEmpty(user.getUsername()),
        orEmpty(user.getUid()),
        Objects.requireNonNullElse(user.getGroups(), List.of()),
        Objects.requireNonNullElse(user.getExtra(), Map.of()));
  }

  private static String orEmpty(@Nullable String text) {
    return Objects.requireNonNullElse(text, "");
  }
}
