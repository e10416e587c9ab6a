// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** Does the same for many names, so many at once. */
public final class ParallelRunner {
  private ParallelRunner() {}

  /** What is done for each name. */
  @FunctionalInterface
  public interface Work {
    void on(String name) throws Exception;
  }

  /** Ends when all are done; the first failure is thrown. */
  public static void run(int atOnce, List<String> names, Work work) throws Exception {
    try (var workers = Executors.newFixedThreadPool(atOnce)) {
      var tasks = new ArrayList<Callable<String>>();
      for (var name : names) {
        tasks.add(
            () -> {
              work.on(name);
              return name;
            });
      }
      for (var task : workers.invokeAll(tasks)) {
        task.get();
      }
    }
  }
}
