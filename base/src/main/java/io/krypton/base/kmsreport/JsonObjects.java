// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads a JSON array of flat objects, which is all that a report is. Strings, numbers and words
 * become text; a nested value must be well-formed and counts as absent. An element that is no
 * object counts as one without fields.
 */
final class JsonObjects {
  private static final int MAX_DEPTH = 32;
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");

  private final String text;
  private int at;

  private JsonObjects(String text) {
    this.text = text;
  }

  /** The text is not JSON, or not an array. */
  static final class MalformedException extends Exception {
    MalformedException() {
      super(null, null, false, false);
    }
  }

  static List<Map<String, String>> parse(String text) throws MalformedException {
    var parser = new JsonObjects(text);
    var objects = parser.array();
    if (parser.at < text.length()) {
      throw new MalformedException();
    }
    return objects;
  }

  private List<Map<String, String>> array() throws MalformedException {
    var objects = new ArrayList<Map<String, String>>();
    skipBlanks();
    expect('[');
    if (!accept(']')) {
      do {
        var fields = new HashMap<String, String>();
        value(1, fields);
        objects.add(fields);
      } while (accept(','));
      expect(']');
    }
    return objects;
  }

  /**
   * Reads a value.
   *
   * @param fields get the fields, if it is an object
   * @return the value as text; empty for what has no text
   */
  private String value(int depth, Map<String, String> fields) throws MalformedException {
    if (depth > MAX_DEPTH || at == text.length()) {
      throw new MalformedException();
    }
    switch (text.charAt(at)) {
      case '{' -> object(depth, fields);
      case '[' -> nested(depth);
      case '"' -> {
        return string();
      }
      default -> {
        return wordOrNumber();
      }
    }
    return "";
  }

  private void object(int depth, Map<String, String> fields) throws MalformedException {
    expect('{');
    if (accept('}')) {
      return;
    }
    do {
      var name = string();
      expect(':');
      fields.put(name, value(depth + 1, new HashMap<>()));
    } while (accept(','));
    expect('}');
  }

  private void nested(int depth) throws MalformedException {
    expect('[');
    if (accept(']')) {
      return;
    }
    do {
      value(depth + 1, new HashMap<>());
    } while (accept(','));
    expect(']');
  }

  private String wordOrNumber() throws MalformedException {
    int start = at;
    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    var found = text.substring(start, at);
    skipBlanks();
    return switch (found) {
      case "null" -> "";
      case "true", "false" -> found;
      default -> {
        if (!NUMBER.matcher(found).matches()) {
          throw new MalformedException();
        }
        yield found;
      }
    };
  }

  private String string() throws MalformedException {
    if (at == text.length() || text.charAt(at) != '"') {
      throw new MalformedException();
    }
    at++;
    var value = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw new MalformedException();
      }
      value.append(c == '\\' ? escaped() : c);
    }
    expect('"');
    return value.toString();
  }

  private char escaped() throws MalformedException {
    if (at == text.length()) {
      throw new MalformedException();
    }
    return switch (text.charAt(at++)) {
      case '"' -> '"';
      case '\\' -> '\\';
      case '/' -> '/';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw new MalformedException();
    };
  }

  private char unicode() throws MalformedException {
    int code = 0;
    for (int end = at + 4; at < end; at++) {
      int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
      if (digit < 0 || text.charAt(at) > 0x7f) {
        throw new MalformedException();
      }
      code = code << 4 | digit;
    }
    return (char) code;
  }

  private void expect(char c) throws MalformedException {
    if (!accept(c)) {
      throw new MalformedException();
    }
  }

  private boolean accept(char c) {
    if (at == text.length() || text.charAt(at) != c) {
      return false;
    }
    at++;
    skipBlanks();
    return true;
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }
}
