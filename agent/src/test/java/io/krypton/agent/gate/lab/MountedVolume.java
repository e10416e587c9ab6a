// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A Secret as a kubelet mounts it: each version in a directory of its own, behind one link. */
public final class MountedVolume {
  private static final Path DATA = Path.of("..data");

  private final Path directory;
  private int versions;

  public MountedVolume(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  /** Replaces the content in one step, and removes the version before. */
  public Path swap(String name, String content) throws IOException {
    versions++;
    var fresh = Path.of("..2026_01_02_03_04_%02d".formatted(versions));
    Files.createDirectory(directory.resolve(fresh));
    Files.writeString(directory.resolve(fresh).resolve(name), content);
    var link = directory.resolve(DATA);
    var before = Files.isSymbolicLink(link) ? link.toRealPath() : null;
    var next = Files.createSymbolicLink(directory.resolve("..data_tmp"), fresh);
    Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
    var file = directory.resolve(name);
    if (!Files.isSymbolicLink(file)) {
      Files.createSymbolicLink(file, DATA.resolve(name));
    }
    if (before != null) {
      Files.delete(before.resolve(name));
      Files.delete(before);
    }
    return file;
  }
}
