// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static com.fasterxml.jackson.databind.MapperFeature.SORT_PROPERTIES_ALPHABETICALLY;
import static com.fasterxml.jackson.databind.SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS;
import static com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS;
import static com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR;
import static com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature.MINIMIZE_QUOTES;
import static com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature.SPLIT_LINES;
import static com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature.WRITE_DOC_START_MARKER;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.krypton.base.crypto.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A CRD as it is checked in, with a version that grows whenever its spec changes. */
record CrdFile(Path path) {
  private static final Path DIRECTORY = Path.of("../charts/krypton-operator/files/crds");
  private static final String HEADER = "# Made from the records of krypton-api by CrdDriftTest.\n";

  private static final JsonMapper CANONICAL =
      JsonMapper.builder()
          .enable(SORT_PROPERTIES_ALPHABETICALLY)
          .enable(ORDER_MAP_ENTRIES_BY_KEYS)
          .build();
  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(MINIMIZE_QUOTES, ALWAYS_QUOTE_NUMBERS_AS_STRINGS, INDENT_ARRAYS_WITH_INDICATOR)
          .disable(SPLIT_LINES, WRITE_DOC_START_MARKER)
          .build();

  static CrdFile of(CustomResourceDefinition crd) {
    return new CrdFile(DIRECTORY.resolve(crd.getMetadata().getName() + ".yaml"));
  }

  String read() throws IOException {
    return Files.exists(path) ? Files.readString(path) : "";
  }

  void write(String text) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** The text this file must have. */
  String textFor(CustomResourceDefinition crd) throws IOException {
    var hash = hash(crd);
    var marked =
        new CustomResourceDefinitionBuilder(crd)
            .editMetadata()
            .addToAnnotations(Annotations.CRD_VERSION, String.valueOf(versionFor(hash)))
            .addToAnnotations(Annotations.CRD_HASH, hash)
            .endMetadata()
            .build();
    return HEADER + YAML.writeValueAsString(marked);
  }

  private int versionFor(String hash) throws IOException {
    if (!Files.exists(path)) {
      return 1;
    }
    var stored = YAML.readTree(path.toFile()).at("/metadata/annotations");
    var version = Integer.parseInt(stored.path(Annotations.CRD_VERSION).textValue());
    return stored.path(Annotations.CRD_HASH).textValue().equals(hash) ? version : version + 1;
  }

  static String hash(CustomResourceDefinition crd) throws IOException {
    return Sha256.hex(CANONICAL.writeValueAsBytes(crd.getSpec()));
  }
}
