// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.operator.release.helm.HelmClient.AppliedRelease;
import io.krypton.operator.release.helm.HelmMessage;
import io.krypton.operator.release.helm.HelmMessage.Redactor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a worker answers. Messages are not redacted yet and manifests may hold Secrets, so it shows
 * in no {@code toString}.
 *
 * @param id of the request
 * @param message what the Helm command line would print after {@code Error:}; empty if it is done
 * @param residentBytes memory of the worker; zero where it does not know
 * @param lingering cancelled requests whose code still computes
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record WorkerResponse(
    long id,
    String status,
    String message,
    @Nullable StoredState release,
    @Nullable String manifest,
    @Nullable String archive,
    int protocol,
    String helm,
    String version,
    long residentBytes,
    int lingering) {
  static final String DONE = "done";
  static final String UNREACHABLE = "unreachable";
  static final String CANCELLED = "cancelled";
  static final String NOT_FOUND = "notFound";

  /** A worker cuts what is longer than 64 KiB, and leaves no half of a character. */
  private static final int LONGEST_MESSAGE = (64 << 10) - 4;

  /** A frame is bounded as a whole. Jackson alone would take a long manifest for an attack. */
  private static final JsonMapper JSON =
      new JsonMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxStringLength(FrameCodec.LONGEST).build())
              .build());

  WorkerResponse {
    status = Objects.requireNonNullElse(status, "");
    message = Objects.requireNonNullElse(message, "");
    helm = Objects.requireNonNullElse(helm, "");
    version = Objects.requireNonNullElse(version, "");
  }

  /** The revision that an operation has written last. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record StoredState(int revision, @Nullable String manifest) {
    @Override
    public String toString() {
      return "StoredState(%d)".formatted(revision);
    }
  }

  /** For a request that no frame can hold. */
  static WorkerResponse tooLong(long id, int bytes, int longest) {
    var message =
        "chart and values make a request of %d bytes, more than the %d that a Helm worker takes; shorten the values or the chart"
            .formatted(bytes, longest);
    return new WorkerResponse(id, "failed", message, null, null, null, 0, "", "", 0, 0);
  }

  /**
   * Reads the content of a frame.
   *
   * @throws IOException without any of the content in its text
   */
  static WorkerResponse decode(byte[] content) throws IOException {
    try {
      var response = JSON.readValue(content, WorkerResponse.class);
      if (response != null && response.id > 0) {
        return response;
      }
    } catch (IOException quoting) {
      // Jackson quotes what it stumbles over.
    }
    throw new IOException("a frame that is no response");
  }

  /** What was stored, as far as the worker tells. */
  @Nullable AppliedRelease applied() {
    return release == null || release.manifest == null
        ? null
        : new AppliedRelease(release.revision, release.manifest);
  }

  /** What Helm had to say, in a form that may be shown. */
  String shownMessage(Redactor redactor) {
    var clean = redactor.redact(message);
    // Of a long message a worker keeps the end, which may begin with half of a secret.
    var mayBeCut = message.getBytes(StandardCharsets.UTF_8).length >= LONGEST_MESSAGE;
    var whole = mayBeCut ? clean.substring(Math.min(clean.length(), redactor.longest())) : clean;
    return HelmMessage.bounded(whole.strip());
  }

  boolean is(String other) {
    return status.equals(other);
  }

  @Override
  public String toString() {
    return "WorkerResponse(%d, %s)".formatted(id, status);
  }
}
