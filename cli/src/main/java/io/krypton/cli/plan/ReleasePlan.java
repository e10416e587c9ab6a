// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import io.krypton.cli.plan.ManifestDiff.ObjectDiff;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What would become of one release.
 *
 * @param object the Tenant or KryptonDeployment that asks for it
 * @param detail one line that says why
 * @param findings what the server says about its objects, live and to come
 */
record ReleasePlan(
    String cluster,
    String object,
    String release,
    String workspace,
    Verdict verdict,
    String detail,
    List<ObjectDiff> diffs,
    List<ServerFinding> findings) {
  ReleasePlan {
    diffs = List.copyOf(diffs);
    findings = List.copyOf(findings);
  }

  /** A plan that has nothing to show but a line. */
  static ReleasePlan of(
      String cluster,
      String object,
      String release,
      String workspace,
      Verdict verdict,
      String detail) {
    return new ReleasePlan(
        cluster, object, release, workspace, verdict, detail, List.of(), List.of());
  }

  /** Whether somebody should look at it before the operator does. */
  boolean needsAttention() {
    return verdict == Verdict.UNKNOWN
        || findings.stream().anyMatch(it -> it.kind() == ServerFinding.Kind.REFUSED);
  }

  /** In the order in which the summary tells them. */
  enum Verdict {
    INSTALL("would install", true),
    UPGRADE("would upgrade", true),
    REINSTALL("would reinstall", true),
    UNCHANGED("unchanged", false),
    LOCKED("locked", false),
    SKIPPED("not touched", false),
    UNKNOWN("cannot tell", false);

    private final String label;
    private final boolean isChange;

    Verdict(String words, boolean isChange) {
      this.label = words;
      this.isChange = isChange;
    }

    String label() {
      return label;
    }

    boolean isChange() {
      return isChange;
    }
  }

  Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("cluster", cluster);
    document.put("object", object);
    document.put("release", release);
    document.put("plan", verdict.label());
    if (!detail.isEmpty()) {
      document.put("detail", detail);
    }
    if (!diffs.isEmpty()) {
      document.put(
          "objects",
          diffs.stream()
              .map(
                  diff ->
                      Map.of(
                          "object", diff.object(),
                          "change", diff.change(),
                          "diff", String.join("\n", diff.lines())))
              .toList());
    }
    if (!findings.isEmpty()) {
      document.put("live", findings.stream().map(ServerFinding::document).toList());
    }
    return document;
  }

  /**
   * What the server has to say about one object of a release, by a look at the live one and dry
   * runs.
   *
   * @param text one line
   * @param lines a diff from the live object to what the release says; may be empty
   */
  record ServerFinding(String object, Kind kind, String text, List<String> lines) {
    ServerFinding {
      lines = List.copyOf(lines);
    }

    /** In the order in which a plan tells them. */
    enum Kind {
      REFUSED("would be refused"),
      DIFFERS("lives differently"),
      GONE("is gone");

      private final String label;

      Kind(String words) {
        this.label = words;
      }

      String label() {
        return label;
      }
    }

    Map<String, Object> document() {
      var document = new LinkedHashMap<String, Object>();
      document.put("object", object);
      document.put("remark", kind.label());
      if (!text.isEmpty()) {
        document.put("message", text);
      }
      if (!lines.isEmpty()) {
        document.put("diff", String.join("\n", lines));
      }
      return document;
    }
  }
}
