// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.helm.process.ChildProcess.ProcessResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What Helm had to say, in a form that may be shown: redacted, bounded, the same every time. */
public final class HelmMessage {
  private static final int LONGEST = 4096;
  private static final Pattern VERDICT = Pattern.compile("(?m)^Error: ");

  private HelmMessage() {}

  public static String of(ProcessResult processResult, Redactor redactor, Path directory) {
    var said = processResult.errors().isBlank() ? processResult.output() : processResult.errors();
    // Before anything is cut: half a secret is not recognised any more.
    var clean = redactor.redact(said).replace(directory + "/", "");
    var verdict = VERDICT.split(clean, 2);
    var text = verdict[verdict.length - 1].strip();
    if (text.isEmpty()) {
      return "helm ended with exit code " + processResult.exitCode() + " and said nothing";
    }
    return text.length() <= LONGEST ? text : "…" + text.substring(text.length() - LONGEST + 1);
  }

  /** Blots secret texts out of what a program wrote, in the forms in which programs write them. */
  public static final class Redactor {
    static final String MASK = "***";
    // Anything shorter is found by chance everywhere and would leave nothing readable.
    private static final int SHORTEST = 4;

    private final List<String> forms;

    public Redactor(Collection<String> secrets) {
      // Longest first: a secret may contain another.
      forms =
          secrets.stream()
              .flatMap(Redactor::formsOf)
              .filter(form -> form.length() >= SHORTEST)
              .distinct()
              .sorted(Comparator.comparingInt(String::length).reversed())
              .toList();
    }

    public String redact(String text) {
      var clean = text;
      for (var form : forms) {
        clean = clean.replace(form, MASK);
      }
      return clean;
    }

    private static Stream<String> formsOf(String secret) {
      var bytes = secret.getBytes(StandardCharsets.UTF_8);
      var whole =
          Stream.of(
              secret, quoted(secret), Base64.getEncoder().withoutPadding().encodeToString(bytes));
      return Stream.concat(whole, secret.lines().map(String::strip));
    }

    /** As Go and JSON quote it. */
    private static String quoted(String text) {
      return text.replace("\\", "\\\\")
          .replace("\"", "\\\"")
          .replace("\n", "\\n")
          .replace("\t", "\\t");
    }
  }
}
