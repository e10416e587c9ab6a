package io.krypton.operator.helm;

import io.krypton.operator.helm.ChildProcess.Outcome;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** What Helm had to say, in a form that may be shown: redacted, bounded, the same every time. */
final class HelmMessage {
  private static final int LONGEST = 4096;
  private static final Pattern VERDICT = Pattern.compile("(?m)^Error: ");

  private HelmMessage() {}

  static String of(Outcome outcome, Redaction redaction, Path directory) {
    var said = outcome.errors().isBlank() ? outcome.output() : outcome.errors();
    // Before anything is cut: half a secret is not recognised any more.
    var clean = redaction.clean(said).replace(directory + "/", "");
    var verdict = VERDICT.split(clean, 2);
    var text = verdict[verdict.length - 1].strip();
    if (text.isEmpty()) {
      return "helm ended with exit code " + outcome.exitCode() + " and said nothing";
    }
    return text.length() <= LONGEST ? text : "…" + text.substring(text.length() - LONGEST + 1);
  }
}
