package io.krypton.sandbox.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** One line that tells a running plugin what to do wrong; no file means nothing. */
public record FaultFile(Path path) {

  /** Refuses a mode that there is not. */
  public void write(String mode) throws IOException {
    if (PluginFault.parse(mode).isEmpty()) {
      throw new IOException(
          ("unknown fault \"%s\", use none, down, refuse, hang, slow=<duration>, unhealthy[=text],"
                  + " error=<CODE>[:text], encrypt-error=…, decrypt-error=…, wrong-key, garbage,"
                  + " keyid=empty|long or version=<v>")
              .formatted(mode));
    }
    AtomicFile.replace(path, (mode + "\n").getBytes(UTF_8));
  }

  /** Empty when the file is, as it is for a moment while somebody writes it in place. */
  String read() throws IOException {
    try {
      return Files.readString(path).lines().findFirst().orElse("").strip();
    } catch (NoSuchFileException e) {
      return PluginFault.NOTHING;
    }
  }
}
