// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The artifacts that the build has resolved, as the CycloneDX plugin of Maven tells them. */
final class MavenSbom {
  private final JsonNode bill;

  private MavenSbom(JsonNode bill) {
    this.bill = bill;
  }

  static MavenSbom read(Path file) throws IOException {
    return new MavenSbom(new ObjectMapper().readTree(file.toFile()));
  }

  /** The artifact with these very bytes. */
  Optional<ObjectNode> artifact(String sha256) {
    for (var component : bill.path("components")) {
      for (var hash : component.path("hashes")) {
        if (hash.path("alg").asText().equals("SHA-256")
            && hash.path("content").asText().equals(sha256)) {
          return Optional.of(component.<ObjectNode>deepCopy());
        }
      }
    }
    return Optional.empty();
  }

  /** Artifacts of others, by their coordinates. */
  List<JsonNode> foreign() {
    var foreign = new ArrayList<JsonNode>();
    for (var component : bill.path("components")) {
      if (!component.path("group").asText().equals("io.krypton")) {
        foreign.add(component);
      }
    }
    foreign.sort(Comparator.comparing(MavenSbom::coordinates));
    return foreign;
  }

  /** Which of these references depends on which. */
  ArrayNode dependencies(Set<String> references) {
    var edges = JsonNodeFactory.instance.arrayNode();
    for (var from : bill.path("dependencies")) {
      if (references.contains(from.path("ref").asText())) {
        var edge = edges.addObject().put("ref", from.path("ref").asText());
        var targets = edge.putArray("dependsOn");
        for (var target : from.path("dependsOn")) {
          if (references.contains(target.asText())) {
            targets.add(target.asText());
          }
        }
      }
    }
    return edges;
  }

  static String coordinates(JsonNode component) {
    return component.path("group").asText() + ":" + component.path("name").asText();
  }

  /** Identifiers of SPDX where there are some, else the names that the artifact uses. */
  static List<String> licences(JsonNode component) {
    var licences = new ArrayList<String>();
    for (var choice : component.path("licenses")) {
      for (var field : List.of("/expression", "/license/id", "/license/name")) {
        if (choice.at(field).isTextual()) {
          licences.add(choice.at(field).asText());
        }
      }
    }
    return licences;
  }
}
