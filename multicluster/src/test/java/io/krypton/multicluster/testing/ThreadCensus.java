// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** The names of all threads of this process, virtual ones included. */
public final class ThreadCensus {
  private ThreadCensus() {}

  public static List<String> take() throws IOException {
    var directory = Files.createTempDirectory("threads");
    var dump = directory.resolve("dump.json");
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(dump.toString(), ThreadDumpFormat.JSON);
      var names = new ArrayList<String>();
      collect(new ObjectMapper().readTree(dump.toFile()).path("threadDump"), names);
      return names;
    } finally {
      Files.deleteIfExists(dump);
      Files.delete(directory);
    }
  }

  private static void collect(JsonNode dump, List<String> names) {
    for (var container : dump.path("threadContainers")) {
      for (var thread : container.path("threads")) {
        names.add(thread.path("name").asText());
      }
    }
  }
}
