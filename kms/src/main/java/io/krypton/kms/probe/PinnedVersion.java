// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The version of the KMS API that an API server goes by: the first one that it knows and has seen,
 * whatever else the answer said, for as long as it runs. Only a restart makes it take another.
 */
public final class PinnedVersion {
  private final ApiServerInstance life;
  private String first = "";
  private Set<String> seenBy = Set.of();

  public PinnedVersion() {
    this(ApiServerInstance.ofThisHost());
  }

  PinnedVersion(ApiServerInstance life) {
    this.life = life;
  }

  /** The version that an API server expects now that this one is there, which it knows. */
  public String expected(String version) {
    if (first.isEmpty() || isForgotten(version)) {
      first = version;
    }
    if (first.equals(version)) {
      seenBy = life.identity();
    }
    return first;
  }

  /** Where no API server was seen while the version was the first one, nothing is known. */
  private boolean isForgotten(String version) {
    return !first.equals(version) && !seenBy.isEmpty() && !seenBy.equals(life.identity());
  }

  /** Distinguishes one run of the API server from the next without calling it. */
  @FunctionalInterface
  interface ApiServerInstance {
    /** The default of kube-apiserver's {@code --secure-port}. */
    int SECURE_PORT = 6443;

    /** What only this run has; empty if none is seen. */
    Set<String> identity();

    /**
     * The sockets that listen on the API server's port of this host. Each run has one of its own,
     * and whoever shares the host's network sees them, as containers of the API server's pod do.
     */
    static ApiServerInstance ofThisHost() {
      return () -> {
        var marks = new TreeSet<String>();
        for (var table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
          marks.addAll(listeners(Path.of(table), SECURE_PORT));
        }
        return marks;
      };
    }

    /**
     * The inodes of sockets that listen on a port, by a table of the kernel; listeners come first.
     */
    static Set<String> listeners(Path table, int port) {
      var wanted = ":%04X".formatted(port).toUpperCase(Locale.ROOT);
      try (var lines = Files.lines(table, US_ASCII)) {
        var found = new TreeSet<String>();
        lines
            .skip(1)
            .map(line -> line.strip().split("\\s+"))
            .takeWhile(fields -> fields.length > 9 && fields[3].equals("0A"))
            .filter(fields -> fields[1].endsWith(wanted))
            .forEach(fields -> found.add(fields[9]));
        return found;
      } catch (IOException | UncheckedIOException notOnThisSystem) {
        return Set.of();
      }
    }
  }
}
