// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The message for users when the server does not take an object. Its words about a field may quote
 * the field's value, which may come from a Secret, so of those only the field and the rule are
 * told.
 */
final class ApiRejection {
  private static final int UNPROCESSABLE = 422;
  private static final int TOO_MANY_REQUESTS = 429;

  /** These say something about the server or about our access to it, not about the object. */
  private static final Set<Integer> NOT_ABOUT_THE_OBJECT =
      Set.of(
          0,
          HttpURLConnection.HTTP_UNAUTHORIZED,
          TOO_MANY_REQUESTS,
          HttpURLConnection.HTTP_BAD_GATEWAY,
          HttpURLConnection.HTTP_UNAVAILABLE,
          HttpURLConnection.HTTP_GATEWAY_TIMEOUT);

  private static final Set<String> WITHOUT_VALUE =
      Set.of("FieldValueForbidden", "FieldValueRequired");
  private static final String IMMUTABLE = "field is immutable";
  private static final List<String> IMMUTABLE_MESSAGES =
      List.of("immutable", "may not change once set", "updates to statefulset spec");
  private static final int MAX_FIELDS = 5;
  private static final int MAX_LENGTH = 300;

  private ApiRejection() {}

  static boolean isInvalid(KubernetesClientException refused) {
    return refused.getCode() == UNPROCESSABLE;
  }

  /**
   * One line.
   *
   * @throws KubernetesClientException the same again if it does not speak of the object
   */
  static String message(KubernetesClientException refused, ObjectRef ref) {
    if (NOT_ABOUT_THE_OBJECT.contains(refused.getCode())) {
      throw refused;
    }
    return "HTTP %d: %s".formatted(refused.getCode(), details(refused, ref));
  }

  private static String details(KubernetesClientException refused, ObjectRef ref) {
    var status = Optional.ofNullable(refused.getStatus());
    var causes = causes(status);
    if (!causes.isEmpty()) {
      var fields = causes.stream().limit(MAX_FIELDS).map(ApiRejection::field);
      return fields.distinct().collect(Collectors.joining(", ")) + remedy(causes);
    }
    if (ref.kind().name().equals("Secret")) {
      return status.map(Status::getReason).orElse("refused");
    }
    var message = status.map(Status::getMessage).orElse("refused").replaceAll("\\s+", " ");
    return message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH) + "…";
  }

  private static List<StatusCause> causes(Optional<Status> status) {
    return status
        .map(Status::getDetails)
        .map(details -> details.getCauses())
        .orElse(List.of())
        .stream()
        .filter(cause -> cause.getField() != null && !cause.getField().isBlank())
        .toList();
  }

  private static String field(StatusCause cause) {
    var message = Objects.requireNonNullElse(cause.getMessage(), "");
    if (message.endsWith(IMMUTABLE)) {
      return cause.getField() + ": " + IMMUTABLE;
    }
    if (cause.getReason() != null && WITHOUT_VALUE.contains(cause.getReason())) {
      var oneLine = message.replaceAll("\\s+", " ");
      return cause.getField() + ": " + oneLine.substring(0, Math.min(MAX_LENGTH, oneLine.length()));
    }
    var colon = message.indexOf(':');
    return cause.getField() + ": " + (colon < 0 ? cause.getReason() : message.substring(0, colon));
  }

  /** Whether a field cannot be set to what the manifest says as long as the object lives. */
  static boolean isImmutable(KubernetesClientException refused) {
    return isImmutable(causes(Optional.ofNullable(refused.getStatus())));
  }

  private static boolean isImmutable(List<StatusCause> causes) {
    return causes.stream()
        .map(cause -> Objects.requireNonNullElse(cause.getMessage(), ""))
        .anyMatch(message -> IMMUTABLE_MESSAGES.stream().anyMatch(message::contains));
  }

  private static String remedy(List<StatusCause> causes) {
    return isImmutable(causes) ? "; delete the object, and it is made anew" : "";
  }
}
