package io.krypton.cli.sandbox.stage;

import java.nio.file.Path;
import java.util.Objects;

/** The command that started this process, to start others like it. */
public final class Launcher {
  private static final String HOME = "krypton.home";

  private Launcher() {}

  public static Path path() {
    return home().resolve("bin").resolve("krypton");
  }

  /** The installed distribution. */
  public static Path home() {
    return Path.of(
        Objects.requireNonNull(
            System.getProperty(HOME), "start krypton by its launcher bin/krypton"));
  }
}
