package io.krypton.operator.helm;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Helm processes that outlived the program that started them: they would still change releases. */
record Orphans(List<ProcessHandle> processes) {

  /** Known by the private files they were given. */
  static Orphans of(Path run) {
    var prefix = run + "/";
    return new Orphans(
        ProcessHandle.allProcesses()
            .filter(
                process ->
                    process.info().arguments().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(argument -> argument.startsWith(prefix)))
            .toList());
  }

  void end() {
    processes.forEach(process -> new ProcessTree(process).end(ChildProcess.GRACE));
  }
}
