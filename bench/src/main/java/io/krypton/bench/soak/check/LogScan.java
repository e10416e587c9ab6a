// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What an operator must never say, and what it said.
 *
 * @param errors lines that speak of a mistake in the program itself
 * @param secrets lines that hold what must not be told, without the secret
 */
public record LogScan(List<String> errors, List<String> secrets) {
  /** A bug is logged with its stack; nothing else has one. */
  private static final Pattern ERROR =
      Pattern.compile("(^|\\s|=)ERROR(\\s|$)|^\\s+at [\\w.$/]+\\(|Exception in thread|OutOfMemory");

  /** A JVM that was asked for its state by this soak while it stood still may print its threads. */
  private static final String DUMP = "Full thread dump";

  private static final Pattern ENTRY = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT");

  private static final int MOST = 20;
  private static final int WIDTH = 300;

  public LogScan {
    errors = List.copyOf(errors);
    secrets = List.copyOf(secrets);
  }

  /**
   * Reads a log.
   *
   * @param secrets texts that must not stand in it, by their names
   */
  public static LogScan of(Path log, Map<String, String> secrets) throws IOException {
    try (var lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return of(lines.iterator(), secrets);
    }
  }

  static LogScan of(Iterator<String> lines, Map<String, String> secrets) {
    var errors = new ArrayList<String>();
    var found = new ArrayList<String>();
    var dump = false;
    for (var number = 1; lines.hasNext(); number++) {
      var line = lines.next();
      dump = line.startsWith(DUMP) || (dump && !ENTRY.matcher(line).lookingAt());
      if (errors.size() < MOST && !dump && ERROR.matcher(line).find()) {
        errors.add(
            "line %d: %s".formatted(number, line.substring(0, Math.min(WIDTH, line.length()))));
      }
      for (var secret : secrets.entrySet()) {
        if (found.size() < MOST && line.contains(secret.getValue())) {
          found.add("line %d holds %s".formatted(number, secret.getKey()));
        }
      }
    }
    return new LogScan(errors, found);
  }
}
