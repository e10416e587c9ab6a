// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.operator.release.helm.ChartRenderer;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.helm.HelmOperation.ReleaseSpec;
import io.krypton.operator.release.helm.HelmOperation.Rollback;
import io.krypton.operator.release.helm.HelmOperation.Uninstall;
import io.krypton.operator.release.helm.HelmOperation.Upgrade;
import io.krypton.operator.release.helm.RepoAccess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a worker is asked for. It holds credentials and values, so it shows in no {@code toString}.
 */
final class WorkerRequest {
  /** Of the frames; a worker that speaks another one is not used. */
  static final int PROTOCOL = 1;

  private static final JsonMapper JSON = new JsonMapper();

  private final String method;
  private final Parameters parameters;

  private interface Parameters {
    void write(JsonGenerator json) throws IOException;
  }

  private WorkerRequest(String method, Parameters parameters) {
    this.method = method;
    this.parameters = parameters;
  }

  /** The first one; {@code megabytes} are what it may have before it collects its garbage. */
  static WorkerRequest hello(int megabytes) {
    return new WorkerRequest(
        "hello",
        json -> {
          json.writeNumberField("protocol", PROTOCOL);
          json.writeNumberField("memoryMiB", megabytes);
        });
  }

  /** Validation is asked for each time: a worker asks a cluster once for each kind. */
  static WorkerRequest of(HelmOperation operation, HelmKubeconfig kubeconfig, int historyMax) {
    return new WorkerRequest(
        operation.action(),
        json -> {
          var target = operation.target();
          json.writeStringField("cluster", target.release().cluster());
          json.writeStringField("kubeconfig", kubeconfig.yaml());
          json.writeStringField("namespace", target.release().namespace());
          json.writeStringField("release", target.release().name().value());
          json.writeNumberField("timeoutMillis", target.timeout().toMillis());
          switch (operation) {
            case Install(var ignored, var spec) -> writeSpec(json, spec, historyMax);
            case Upgrade(var ignored, var spec, var orInstall) -> {
              writeSpec(json, spec, historyMax);
              json.writeBooleanField("installIfMissing", orInstall);
            }
            case Rollback(var ignored, var revision) -> {
              json.writeNumberField("revision", revision);
              json.writeNumberField("historyMax", historyMax);
            }
            case Uninstall(var ignored) -> {}
          }
        });
  }

  private static void writeSpec(JsonGenerator json, ReleaseSpec spec, int historyMax)
      throws IOException {
    writeChart(json, spec.chart());
    json.writeFieldName("values");
    json.writeRawValue(spec.values().json());
    json.writeObjectFieldStart("labels");
    for (var label : spec.labels().asMap().entrySet()) {
      json.writeStringField(label.getKey(), label.getValue());
    }
    json.writeEndObject();
    json.writeBooleanField("validate", true);
    json.writeNumberField("historyMax", historyMax);
  }

  private static void writeChart(JsonGenerator json, HelmOperation.ChartArchive chart)
      throws IOException {
    json.writeStringField("chart", chart.file().toAbsolutePath().toString());
    json.writeStringField("chartDigest", chart.sha256());
  }

  static WorkerRequest render(ChartRenderer.Request request) {
    return new WorkerRequest(
        "render",
        json -> {
          json.writeStringField("release", request.release().value());
          json.writeStringField("namespace", request.namespace());
          writeChart(json, request.chart());
          json.writeFieldName("values");
          json.writeRawValue(request.values().json());
          json.writeStringField("kubeVersion", request.kubeVersion());
          json.writeArrayFieldStart("apiVersions");
          for (var version : request.apiVersions()) {
            json.writeString(version);
          }
          json.writeEndArray();
          json.writeBooleanField("upgrade", request.upgrade());
        });
  }

  static WorkerRequest pull(String reference, String version, RepoAccess access, Path into) {
    return new WorkerRequest(
        "pull",
        json -> {
          json.writeStringField("reference", reference);
          json.writeStringField("version", version);
          json.writeBooleanField("plainHttp", access.isPlainHttp(reference));
          var registry = RepoAccess.registryOf(reference);
          writeText(json, "registryConfig", access.registryConfigFor(registry).orElse(null));
          writeText(json, "caPem", access.authority());
          writeText(json, "certPem", access.certificate());
          writeText(json, "keyPem", access.key());
          json.writeStringField("into", into.toAbsolutePath().toString());
        });
  }

  static WorkerRequest pack(Path directory, Path into) {
    return new WorkerRequest(
        "package",
        json -> {
          json.writeStringField("directory", directory.toAbsolutePath().toString());
          json.writeStringField("into", into.toAbsolutePath().toString());
        });
  }

  /** Ends a request; it is the other one that is answered. */
  static WorkerRequest cancel(long request) {
    return new WorkerRequest("cancel", json -> json.writeNumberField("id", request));
  }

  /** Drops what is known of a cluster; not answered. */
  static WorkerRequest forget(String cluster) {
    return new WorkerRequest("forget", json -> json.writeStringField("cluster", cluster));
  }

  private static void writeText(JsonGenerator json, String field, @Nullable String text)
      throws IOException {
    if (text == null) {
      json.writeNullField(field);
    } else {
      json.writeStringField(field, text);
    }
  }

  /** The content of its frame. */
  byte[] encode(long id) {
    var bytes = new ByteArrayOutputStream();
    try (var json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("id", id);
      json.writeStringField("method", method);
      json.writeObjectFieldStart("params");
      parameters.write(json);
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  @Override
  public String toString() {
    return "WorkerRequest(" + method + ")";
  }
}
