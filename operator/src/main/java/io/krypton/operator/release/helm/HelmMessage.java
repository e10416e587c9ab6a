// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/** What Helm had to say, in a form that may be shown: redacted and bounded. */
public final class HelmMessage {
  private static final int LONGEST = 4096;

  private HelmMessage() {}

  /**
   * The end of a text, which says most. Redact before: half a secret is not recognised any more.
   */
  public static String bounded(String text) {
    return text.length() <= LONGEST ? text : "…" + text.substring(text.length() - LONGEST + 1);
  }

  /** Only for what went wrong: finding all secrets costs more than an operation. */
  public static Redactor redactor(HelmOperation operation, HelmKubeconfig credentials) {
    var secrets = new HashSet<>(credentials.secrets());
    operation.releaseSpec().ifPresent(spec -> secrets.addAll(spec.values().secrets()));
    return new Redactor(secrets);
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

    /** How many characters the longest of them has. */
    public int longest() {
      return forms.isEmpty() ? 0 : forms.getFirst().length();
    }

    public String redact(String text) {
      var clean = text;
      for (var form : forms) {
        clean = clean.replace(form, MASK);
      }
      return clean;
    }

    /** The same for a text that was cut off: it may end with the beginning of a secret. */
    public String redactCut(String text) {
      var clean = redact(text);
      var cut = forms.stream().mapToInt(form -> begunAtEnd(clean, form)).max().orElse(0);
      return cut == 0 ? clean : clean.substring(0, clean.length() - cut) + MASK;
    }

    private static int begunAtEnd(String text, String form) {
      var length = Math.min(form.length() - 1, text.length());
      while (length >= SHORTEST && !text.regionMatches(text.length() - length, form, 0, length)) {
        length--;
      }
      return length < SHORTEST ? 0 : length;
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
