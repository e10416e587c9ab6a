// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

import io.krypton.kms.config.yaml.Value.Field;
import java.util.ArrayList;

/**
 * Parses JSON as strictly as Go does, keeping repeated names. A parser of our own, because others
 * quote the file in their messages and differ in what they let pass.
 */
final class StrictJsonParser {
  /** A valid configuration has six levels; deeper ones can only be refused. */
  private static final int MAX_DEPTH = 100;

  private final String text;
  private int at;

  private StrictJsonParser(String text) {
    this.text = text;
  }

  static Value parse(String text) throws InvalidConfigurationException {
    var parser = new StrictJsonParser(text);
    var value = parser.value(0);
    if (parser.next() != END) {
      throw parser.syntaxError();
    }
    return value;
  }

  private static final char END = '\0';

  /** The next character that is no white space, or {@link #END}; JSON has no use for a NUL. */
  private char next() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return peek();
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : END;
  }

  private Value value(int depth) throws InvalidConfigurationException {
    if (depth > MAX_DEPTH) {
      throw syntaxError();
    }
    return switch (next()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> new Value.Text(string());
      case 't' -> literal("true", new Value.Bool(true));
      case 'f' -> literal("false", new Value.Bool(false));
      case 'n' -> literal("null", new Value.Null());
      default -> number();
    };
  }

  private Value object(int depth) throws InvalidConfigurationException {
    var fields = new ArrayList<Field>();
    at++;
    if (next() == '}') {
      at++;
      return new Value.Fields(fields);
    }
    while (true) {
      if (next() != '"') {
        throw syntaxError();
      }
      var name = string();
      if (next() != ':') {
        throw syntaxError();
      }
      at++;
      fields.add(new Field(name, value(depth + 1)));
      if (!commaBefore('}')) {
        return new Value.Fields(fields);
      }
    }
  }

  private Value array(int depth) throws InvalidConfigurationException {
    var values = new ArrayList<Value>();
    at++;
    if (next() == ']') {
      at++;
      return new Value.Array(values);
    }
    do {
      values.add(value(depth + 1));
    } while (commaBefore(']'));
    return new Value.Array(values);
  }

  private boolean commaBefore(char end) throws InvalidConfigurationException {
    char c = next();
    if (c != ',' && c != end) {
      throw syntaxError();
    }
    at++;
    return c == ',';
  }

  private Value literal(String literal, Value value) throws InvalidConfigurationException {
    if (!text.startsWith(literal, at)) {
      throw syntaxError();
    }
    at += literal.length();
    return value;
  }

  private Value number() throws InvalidConfigurationException {
    int start = at;
    skipIf('-');
    if (!skipIf('0') && digits() == 0) {
      throw syntaxError();
    }
    if (skipIf('.') && digits() == 0) {
      throw syntaxError();
    }
    if (skipIf('e') || skipIf('E')) {
      if (!skipIf('+')) {
        skipIf('-');
      }
      if (digits() == 0) {
        throw syntaxError();
      }
    }
    return new Value.Numeral(text.substring(start, at));
  }

  private boolean skipIf(char wanted) {
    boolean there = at < text.length() && text.charAt(at) == wanted;
    if (there) {
      at++;
    }
    return there;
  }

  private int digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    return at - start;
  }

  private String string() throws InvalidConfigurationException {
    var out = new StringBuilder();
    at++;
    while (true) {
      if (at >= text.length() || text.charAt(at) < ' ') {
        throw syntaxError();
      }
      char c = text.charAt(at++);
      if (c == '"') {
        return withoutTornSurrogates(out);
      }
      out.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() throws InvalidConfigurationException {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> hex();
      default -> throw syntaxError();
    };
  }

  private char hex() throws InvalidConfigurationException {
    int value = 0;
    for (int end = at + 4; at < end; at++) {
      int digit = Character.digit(peek(), 16);
      if (digit < 0 || peek() > 'f') {
        throw syntaxError();
      }
      value = value * 16 + digit;
    }
    return (char) value;
  }

  private static String withoutTornSurrogates(StringBuilder text) {
    return text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private InvalidConfigurationException syntaxError() {
    long line = 1 + text.substring(0, Math.min(at, text.length())).lines().count();
    if (at == 0 || text.charAt(Math.min(at, text.length()) - 1) != '\n') {
      line--;
    }
    return new InvalidConfigurationException(
        "line %d is not valid JSON".formatted(Math.max(1, line)));
  }
}
