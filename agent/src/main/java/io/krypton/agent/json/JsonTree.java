// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes trees token by token. Jackson's mapper does the same, but brings three hundred
 * classes for mapping objects, which a program beside every API server need not carry.
 */
public final class JsonTree {
  private static final JsonFactory JSON = new JsonFactory();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JsonTree() {}

  /** Reads a JSON text; missing if it is empty. */
  public static JsonNode read(byte[] json) throws IOException {
    try (var parser = JSON.createParser(json)) {
      return read(parser);
    }
  }

  /** Reads one tree from any format; missing if there is none. */
  public static JsonNode read(JsonParser parser) throws IOException {
    var first = parser.nextToken();
    return first == null ? MissingNode.getInstance() : value(parser, first);
  }

  private static JsonNode value(JsonParser parser, @Nullable JsonToken token) throws IOException {
    if (token == null) {
      throw new IOException("the text ends within a value");
    }
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> NODES.textNode(parser.getText());
      case VALUE_TRUE, VALUE_FALSE -> NODES.booleanNode(token == JsonToken.VALUE_TRUE);
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
      case VALUE_NULL -> NODES.nullNode();
      case VALUE_EMBEDDED_OBJECT -> throw new IOException("binary values have no place here");
      case FIELD_NAME, END_OBJECT, END_ARRAY, NOT_AVAILABLE ->
          throw new IOException("a value was expected");
    };
  }

  private static JsonNode object(JsonParser parser) throws IOException {
    var object = NODES.objectNode();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var name = parser.currentName();
      object.set(name, value(parser, parser.nextToken()));
    }
    return object;
  }

  private static JsonNode array(JsonParser parser) throws IOException {
    var array = NODES.arrayNode();
    for (var token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
      array.add(value(parser, token));
    }
    return array;
  }

  private static JsonNode integer(JsonParser parser) throws IOException {
    return parser.getNumberType() == NumberType.BIG_INTEGER
        ? NODES.numberNode(parser.getBigIntegerValue())
        : NODES.numberNode(parser.getLongValue());
  }

  /** The tree as JSON text. */
  public static String write(JsonNode tree) {
    var text = new StringWriter();
    try (var generator = JSON.createGenerator(text)) {
      write(tree, generator);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory does not fail", e);
    }
    return text.toString();
  }

  private static void write(JsonNode node, JsonGenerator generator) throws IOException {
    switch (node.getNodeType()) {
      case OBJECT -> {
        generator.writeStartObject();
        for (var field : node.properties()) {
          generator.writeFieldName(field.getKey());
          write(field.getValue(), generator);
        }
        generator.writeEndObject();
      }
      case ARRAY -> {
        generator.writeStartArray();
        for (var item : node) {
          write(item, generator);
        }
        generator.writeEndArray();
      }
      case STRING -> generator.writeString(node.textValue());
      case NUMBER -> generator.writeNumber(node.asText());
      case BOOLEAN -> generator.writeBoolean(node.booleanValue());
      case NULL -> generator.writeNull();
      case MISSING, BINARY, POJO ->
          throw new IllegalArgumentException("not JSON: " + node.getNodeType());
    }
  }
}
