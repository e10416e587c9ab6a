// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import io.krypton.cli.plan.ManifestDiff.ObjectDiff;
import io.krypton.cli.plan.ReleasePlan.ServerFinding;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.cli.view.Table;
import io.krypton.cli.view.Table.Cell;
import io.krypton.cli.view.Table.Row;
import io.krypton.cli.view.Terminal.TextStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A plan for people; pure. */
final class PlanText {
  private static final int MAX_NAMES = 3;

  private PlanText() {}

  static List<String> lines(String chart, List<ReleasePlan> plans, boolean colours) {
    var lines = new ArrayList<String>();
    lines.add("Chart " + chart);
    if (!plans.isEmpty()) {
      lines.add("");
      lines.addAll(table(plans).lines(new Table.Layout(false, true, colours)));
    }
    blocks(plans, colours).forEach(lines::addAll);
    lines.add("");
    lines.add(summary(plans));
    return lines;
  }

  private static Table table(List<ReleasePlan> plans) {
    return new Table(
        Table.columns("CLUSTER", "OBJECT", "RELEASE", "PLAN", "DETAIL"),
        plans.stream()
            .map(
                plan ->
                    new Row(
                        plan.cluster() + "/" + plan.object(),
                        List.of(
                            Cell.of(plan.cluster()),
                            Cell.of(plan.object()),
                            Cell.of(plan.release()),
                            new Cell(plan.verdict().label(), verdictStyle(plan.verdict())),
                            Cell.of(plan.detail()))))
            .toList());
  }

  private static TextStyle verdictStyle(Verdict verdict) {
    return switch (verdict) {
      case INSTALL, UPGRADE, REINSTALL, LOCKED -> TextStyle.WARNING;
      case UNCHANGED -> TextStyle.GOOD;
      case SKIPPED -> TextStyle.FAINT;
      case UNKNOWN -> TextStyle.BAD;
    };
  }

  /** One change or remark of one release. */
  private record Block(ReleasePlan plan, List<String> titles, List<String> lines) {
    /** The same for all releases in which only their own names differ. */
    List<String> pattern() {
      return Stream.concat(titles.stream(), lines.stream()).map(this::withoutNames).toList();
    }

    private String withoutNames(String line) {
      var object = plan.object().substring(plan.object().lastIndexOf('/') + 1);
      var text = line.replace(plan.release(), "RELEASE");
      text = replaced(text, plan.workspace(), "WORKSPACE");
      return replaced(replaced(text, plan.cluster(), "CLUSTER"), object, "OBJECT");
    }

    private static String replaced(String text, String name, String by) {
      return name.isEmpty()
          ? text
          : text.replaceAll("(?<![\\w-])" + Pattern.quote(name) + "(?![\\w-])", by);
    }
  }

  private static List<List<String>> blocks(List<ReleasePlan> plans, boolean colours) {
    var alike = new LinkedHashMap<List<String>, List<Block>>();
    plans.stream()
        .flatMap(PlanText::blocks)
        .forEach(it -> alike.computeIfAbsent(it.pattern(), _ -> new ArrayList<>()).add(it));
    return alike.values().stream().map(same -> render(same, colours)).toList();
  }

  private static Stream<Block> blocks(ReleasePlan plan) {
    return Stream.concat(
        plan.diffs().stream().map(diff -> new Block(plan, titles(plan, diff), diff.lines())),
        plan.findings().stream().map(it -> new Block(plan, titles(plan, it), it.lines())));
  }

  private static List<String> titles(ReleasePlan plan, ObjectDiff diff) {
    var name = "%s %s %s".formatted(plan.cluster(), plan.release(), diff.object());
    return List.of(
        "--- " + (diff.change().equals("added") ? "/dev/null" : name + " (now)"),
        "+++ " + (diff.change().equals("removed") ? "/dev/null" : name + " (planned)"));
  }

  private static List<String> titles(ReleasePlan plan, ServerFinding remark) {
    var title =
        "%s %s %s %s%s"
            .formatted(
                plan.cluster(),
                plan.release(),
                remark.object(),
                remark.kind().label(),
                remark.text().isEmpty() ? "" : ": " + remark.text());
    return List.of(
        remark.kind() == ServerFinding.Kind.DIFFERS ? title + " (+ as it would be)" : title);
  }

  private static List<String> render(List<Block> same, boolean colours) {
    var first = same.getFirst();
    var lines = new ArrayList<String>();
    lines.add("");
    lines.addAll(first.titles());
    first.lines().forEach(line -> lines.add(lineStyle(line).paint(line, colours)));
    if (same.size() > 1) {
      var others =
          same.stream().skip(1).map(it -> it.plan().cluster() + " " + it.plan().object()).toList();
      lines.add(
          "same for %d more: %s%s"
              .formatted(
                  others.size(),
                  String.join(", ", others.subList(0, Math.min(MAX_NAMES, others.size()))),
                  others.size() > MAX_NAMES ? ", …" : ""));
    }
    return lines;
  }

  private static TextStyle lineStyle(String line) {
    return switch (line.charAt(0)) {
      case '+' -> TextStyle.GOOD;
      case '-' -> TextStyle.BAD;
      case '@' -> TextStyle.FAINT;
      default -> TextStyle.PLAIN;
    };
  }

  /** {@code 1 would upgrade, 3 unchanged; nothing was changed}. */
  static String summary(List<ReleasePlan> plans) {
    if (plans.isEmpty()) {
      return "no releases are asked for";
    }
    var counts =
        Arrays.stream(Verdict.values())
            .map(
                verdict -> {
                  var count = plans.stream().filter(plan -> plan.verdict() == verdict).count();
                  return count == 0 ? null : count + " " + verdict.label();
                })
            .filter(Objects::nonNull)
            .collect(Collectors.joining(", "));
    return counts + "; this was a look, nothing was changed";
  }
}
