package io.krypton.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The packages of Debian and of what is made from it. */
final class Dpkg implements PackageDatabase {
  @Override
  public Optional<Owner> owner(String path) throws IOException {
    for (var candidate : spellings(path)) {
      var answer = ask("dpkg-query", "--search", candidate);
      if (answer.isPresent()) {
        // "libc6:amd64: /lib/x86_64-linux-gnu/libc.so.6"
        var name = answer.get().substring(0, answer.get().indexOf(": "));
        return ask(
                "dpkg-query",
                "--show",
                "--showformat=${Package}\t${Version}\t${Architecture}\t${source:Package}@${source:Version}",
                name)
            .map(Dpkg::parse);
      }
    }
    return Optional.empty();
  }

  /** Where /lib is a link to /usr/lib the database may know the file under either name. */
  static List<String> spellings(String path) {
    return path.startsWith("/usr/")
        ? List.of(path, path.substring("/usr".length()))
        : List.of(path, "/usr" + path);
  }

  private static Owner parse(String line) {
    var fields = line.strip().split("\t");
    return new Owner(fields[0], fields[1], fields[2], fields[3], copyright(fields[0]));
  }

  private static Optional<byte[]> copyright(String name) {
    try {
      return Optional.of(
          Files.readAllBytes(Path.of("/usr/share/doc").resolve(name).resolve("copyright")));
    } catch (IOException leftOut) {
      return Optional.empty();
    }
  }

  /** The answer of a command, if it is there and knows one. */
  private static Optional<String> ask(String... command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException notInstalled) {
      return Optional.empty();
    }
    try (var output = process.getInputStream()) {
      var text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? Optional.of(text) : Optional.empty();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("stopped while " + command[0] + " ran", stopped);
    }
  }
}
