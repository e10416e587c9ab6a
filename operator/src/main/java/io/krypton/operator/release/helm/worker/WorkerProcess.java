// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A process that speaks frames on its standard streams. */
interface WorkerProcess {

  /** Its standard input; when it is closed the worker ends all operations and itself. */
  OutputStream input();

  /** Its standard output. */
  InputStream output();

  /** Its standard error: lines for the log. */
  InputStream errors();

  /** Completes with its exit code, which is 128 and the number of the signal that ended it. */
  CompletableFuture<Integer> exit();

  /** Ends it at once, with everything it started. */
  void kill();

  /** Starts workers. */
  interface Launcher {

    /**
     * Starts one.
     *
     * @throws UnusableWorkerException if there is no such program or place for it
     */
    WorkerProcess launch() throws UnusableWorkerException;

    /** What keeps one from being started, as far as a look at the file tells. */
    Optional<String> problem();
  }

  /** No worker can be started; the message is for users, with a remedy. */
  final class UnusableWorkerException extends IOException {
    private static final long serialVersionUID = 1;

    UnusableWorkerException(String message) {
      super(message);
    }
  }
}
