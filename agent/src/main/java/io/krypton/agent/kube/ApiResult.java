// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How a call ended; each class asks for another reaction. */
public sealed interface ApiResult {
  /** Stable value for logs and metrics; a change of it is logged once. */
  String value();

  /** A short message without line breaks and secrets. */
  String explanation();

  /** 2xx. A write is answered with the object as it is stored. */
  record Done(JsonNode body) implements ApiResult {
    public static Done withoutBody() {
      return new Done(MissingNode.getInstance());
    }

    @Override
    public String value() {
      return "written";
    }

    @Override
    public String explanation() {
      return "done";
    }
  }

  /** The credentials on disk are not usable yet; no request was sent. */
  record NoAccess(String explanation) implements ApiResult {
    @Override
    public String value() {
      return "no-access";
    }
  }

  /** 401. */
  record Unauthorized(String explanation) implements ApiResult {
    @Override
    public String value() {
      return "unauthorized";
    }
  }

  /** 403. */
  record Forbidden(String explanation) implements ApiResult {
    @Override
    public String value() {
      return "forbidden";
    }
  }

  /** 404: the object, its type or its namespace is not there. */
  record NotFound(String explanation) implements ApiResult {
    @Override
    public String value() {
      return "not-found";
    }
  }

  /** 409. */
  record Conflict(String explanation) implements ApiResult {
    @Override
    public String value() {
      return "conflict";
    }
  }

  /**
   * 422 and every other refusal of what was sent: the same bytes will be refused again.
   *
   * @param fields the paths that the server blames, as far as it names them
   */
  record Invalid(int status, List<String> fields, String explanation) implements ApiResult {
    public Invalid {
      fields = List.copyOf(fields);
    }

    @Override
    public String value() {
      return "invalid";
    }
  }

  /** The schema of the object has no place for a field that was sent. */
  record UndeclaredField(String explanation) implements ApiResult {
    @Override
    public String value() {
      return "undeclared-field";
    }
  }

  /** 429. */
  record Throttled(Optional<Duration> retryAfter, String explanation) implements ApiResult {
    @Override
    public String value() {
      return "throttled";
    }
  }

  /** 5xx. */
  record ServerError(int status, Optional<Duration> retryAfter, String explanation)
      implements ApiResult {
    @Override
    public String value() {
      return "server-error";
    }
  }

  /** No answer: refused, reset, timed out, or a peer whose certificate is not trusted. */
  record Unreachable(String explanation) implements ApiResult {
    @Override
    public String value() {
      return "unreachable";
    }
  }
}
