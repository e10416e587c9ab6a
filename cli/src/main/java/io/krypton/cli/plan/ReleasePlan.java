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
 * @param remarks what the server says about its objects, live and to come
 */
record ReleasePlan(
    String cluster,
    String object,
    String release,
    String workspace,
    Verdict verdict,
    String detail,
    List<ObjectDiff> diffs,
    List<ServerRemark> remarks) {
  ReleasePlan {
    diffs = List.copyOf(diffs);
    remarks = List.copyOf(remarks);
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
  boolean isInDoubt() {
    return verdict == Verdict.UNKNOWN
        || remarks.stream().anyMatch(it -> it.kind() == ServerRemark.Kind.REFUSED);
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

    private final String words;
    private final boolean isChange;

    Verdict(String words, boolean isChange) {
      this.words = words;
      this.isChange = isChange;
    }

    String words() {
      return words;
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
    document.put("plan", verdict.words());
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
    if (!remarks.isEmpty()) {
      document.put("live", remarks.stream().map(ServerRemark::document).toList());
    }
    return document;
  }
}
