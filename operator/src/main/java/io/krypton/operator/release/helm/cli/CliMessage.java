// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.operator.release.helm.HelmMessage;
import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.process.ChildProcess.ProcessResult;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** What a Helm process wrote at its end: the same text for the same failure. */
final class CliMessage {
  private static final Pattern VERDICT = Pattern.compile("(?m)^Error: ");

  private CliMessage() {}

  /** {@code directory}: where the files of this one process are; its name is another each time. */
  static String of(ProcessResult processResult, Redactor redactor, Path directory) {
    var said = processResult.errors().isBlank() ? processResult.output() : processResult.errors();
    var clean = redactor.redact(said).replace(directory + "/", "");
    var verdict = VERDICT.split(clean, 2);
    var text = verdict[verdict.length - 1].strip();
    return text.isEmpty()
        ? "helm ended with exit code " + processResult.exitCode() + " and said nothing"
        : HelmMessage.bounded(text);
  }
}
