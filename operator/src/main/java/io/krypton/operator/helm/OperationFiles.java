package io.krypton.operator.helm;

import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of one Helm process; they are gone when it is closed. */
record OperationFiles(Path directory) implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OperationFiles.class);

  Path write(String name, String content) throws IOException {
    return PrivateDirectory.write(directory.resolve(name), content);
  }

  @Override
  public void close() {
    try {
      PrivateDirectory.delete(directory);
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("directory", directory)
          .log("Helm files left behind: {}", e.toString());
    }
  }
}
