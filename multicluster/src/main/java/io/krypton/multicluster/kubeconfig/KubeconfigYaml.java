// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;

/** Reads one bounded YAML mapping: no aliases, no tags, no duplicate keys, no second document. */
final class KubeconfigYaml {
  static final int MAX_BYTES = 1 << 20;
  private static final int MAX_DEPTH = 32;

  private static final YAMLFactory YAML =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final ObjectMapper MAPPER = new ObjectMapper(YAML);

  private KubeconfigYaml() {}

  static ObjectNode read(byte[] bytes) throws KubeconfigException {
    if (bytes.length == 0) {
      throw new KubeconfigException(
          "kubeconfig is empty; store a kubeconfig with inline credentials");
    }
    if (bytes.length > MAX_BYTES) {
      throw new KubeconfigException(
          "kubeconfig is larger than 1 MiB; reduce it to one context (kubectl config view --minify)");
    }
    try {
      refuseTricks(bytes);
      if (MAPPER.readTree(bytes) instanceof ObjectNode root) {
        return root;
      }
    } catch (JacksonException e) {
      throw notYaml(e);
    } catch (IOException | RuntimeException e) {
      // The YAML scanner below Jackson throws unchecked exceptions for some malformed input.
      throw new KubeconfigException("kubeconfig is not valid YAML; store it as kubectl printed it");
    }
    throw new KubeconfigException(
        "kubeconfig is not a YAML mapping; store it as kubectl printed it");
  }

  /** A first pass over the tokens, so that the tree is only built from harmless ones. */
  private static void refuseTricks(byte[] bytes) throws IOException, KubeconfigException {
    try (var parser = YAML.createParser(bytes)) {
      int depth = 0;
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        refuseReferences(parser);
        if (token.isStructStart() && ++depth > MAX_DEPTH) {
          throw new KubeconfigException(
              "kubeconfig is nested too deeply; no field of it needs that");
        }
        if (token.isStructEnd()) {
          depth--;
        }
        if (depth == 0 && !token.isStructEnd() && token != JsonToken.NOT_AVAILABLE) {
          throw new KubeconfigException(
              "kubeconfig is not a single YAML mapping; store it as kubectl printed it");
        }
        if (depth == 0 && parser.nextToken() != null) {
          throw new KubeconfigException(
              "kubeconfig holds more than one YAML document; keep only the kubeconfig");
        }
      }
    }
  }

  private static void refuseReferences(YAMLParser parser) throws IOException, KubeconfigException {
    if (parser.isCurrentAlias() || parser.getObjectId() != null) {
      throw new KubeconfigException(
          "kubeconfig uses YAML anchors or aliases; write the values out");
    }
    if (parser.getTypeId() != null) {
      throw new KubeconfigException("kubeconfig uses YAML tags; remove them");
    }
  }

  private static KubeconfigException notYaml(JacksonException e) {
    var location = e.getLocation();
    var where = location == null ? "" : " (line " + location.getLineNr() + ")";
    return new KubeconfigException(
        "kubeconfig is not valid YAML or repeats a key"
            + where
            + "; store it as kubectl printed it");
  }
}
