// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Figures as JSON, so that a later run can be compared with them. */
public final class ResultFile {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
          .build();

  private ResultFile() {}

  /** What of the results is kept. */
  record Kept(Map<String, String> circumstances, List<Figure> figures) {}

  public static void write(Path file, Results results) throws IOException {
    Files.writeString(
        file, JSON.writeValueAsString(new Kept(results.circumstances(), results.figures())) + "\n");
  }

  public static List<Figure> read(Path file) throws IOException {
    return JSON.readValue(Files.readString(file), Kept.class).figures();
  }
}
