// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import io.krypton.image.ImageRoot.UncoveredFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the Go linker writes into every program: the Go release and each module with its version, as
 * {@code go version -m} prints it. Read here so that no Go is needed to build an image.
 */
record GoBuildInfo(String goVersion, Module main, List<Module> dependencies) {
  private static final byte[] MAGIC = "\u00ff Go buildinf:".getBytes(StandardCharsets.ISO_8859_1);
  private static final int ALIGNMENT = 16;
  private static final int FLAGS = 15;
  private static final int INLINE_STRINGS = 2;
  private static final int HEADER = 32;
  private static final int SENTINEL = 16;

  /** A module as it was linked; one that was replaced is told by its replacement. */
  record Module(String path, String version) {}

  static GoBuildInfo read(Path program) throws IOException {
    try (var channel = FileChannel.open(program)) {
      var content = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      return find(content)
          .orElseThrow(
              () ->
                  new UncoveredFileException(
                      program.toString(),
                      "it says nothing about its modules; use a Helm that Go 1.18 or newer built"));
    }
  }

  static Optional<GoBuildInfo> find(ByteBuffer content) {
    for (var at = 0; at + HEADER < content.limit(); at += ALIGNMENT) {
      // Programs that read such headers hold the magic words too, without what belongs around them.
      if (isHeader(content, at)) {
        var strings = content.duplicate().position(at + HEADER);
        var goVersion = string(strings);
        var modules = string(strings);
        if (goVersion.startsWith("go") && modules.length() > 2 * SENTINEL) {
          return Optional.of(
              parse(goVersion, modules.substring(SENTINEL, modules.length() - SENTINEL)));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isHeader(ByteBuffer content, int at) {
    for (var i = 0; i < MAGIC.length; i++) {
      if (content.get(at + i) != MAGIC[i]) {
        return false;
      }
    }
    return (content.get(at + FLAGS) & INLINE_STRINGS) != 0;
  }

  private static String string(ByteBuffer strings) {
    long length = 0;
    for (var shift = 0; shift < Integer.SIZE && strings.hasRemaining(); shift += 7) {
      var part = strings.get();
      length |= (part & 0x7fL) << shift;
      if (part >= 0) {
        break;
      }
    }
    if (length > strings.remaining()) {
      return "";
    }
    var bytes = new byte[(int) length];
    strings.get(bytes);
    // The sentinels around the list of modules are no text.
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static GoBuildInfo parse(String goVersion, String text) {
    var main = new Module("", "");
    var dependencies = new ArrayList<Module>();
    for (var line : text.lines().toList()) {
      var fields = line.split("\t");
      if (fields.length < 3) {
        continue;
      }
      var module = new Module(fields[1], fields[2]);
      switch (fields[0]) {
        case "mod" -> main = module;
        case "dep" -> dependencies.add(module);
        case "=>" -> dependencies.set(dependencies.size() - 1, module);
        default -> {}
      }
    }
    return new GoBuildInfo(goVersion.substring("go".length()), main, List.copyOf(dependencies));
  }
}
