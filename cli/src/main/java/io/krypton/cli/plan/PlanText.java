package io.krypton.cli.plan;

import io.krypton.cli.plan.ManifestDiff.ObjectDiff;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.cli.view.Cell;
import io.krypton.cli.view.Table;
import io.krypton.cli.view.Table.Row;
import io.krypton.cli.view.Tone;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** A plan for people; pure. */
final class PlanText {
  private PlanText() {}

  static List<String> lines(String chart, List<ReleasePlan> plans, boolean colours) {
    var lines = new ArrayList<String>();
    lines.add("Chart " + chart);
    if (!plans.isEmpty()) {
      lines.add("");
      lines.addAll(table(plans).lines(new Table.Style(false, true, colours)));
    }
    for (var plan : plans) {
      plan.diffs().forEach(diff -> lines.addAll(diff(plan, diff, colours)));
    }
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
                            new Cell(plan.verdict().words(), tone(plan.verdict())),
                            Cell.of(plan.detail()))))
            .toList());
  }

  private static Tone tone(Verdict verdict) {
    return switch (verdict) {
      case INSTALL, UPGRADE, REINSTALL, LOCKED -> Tone.WARNING;
      case UNCHANGED -> Tone.GOOD;
      case SKIPPED -> Tone.FAINT;
      case UNKNOWN -> Tone.BAD;
    };
  }

  private static List<String> diff(ReleasePlan plan, ObjectDiff diff, boolean colours) {
    var lines = new ArrayList<String>();
    var name = "%s %s %s".formatted(plan.cluster(), plan.release(), diff.object());
    lines.add("");
    lines.add("--- " + (diff.change().equals("added") ? "/dev/null" : name + " (now)"));
    lines.add("+++ " + (diff.change().equals("removed") ? "/dev/null" : name + " (planned)"));
    diff.lines().forEach(line -> lines.add(toneOf(line).paint(line, colours)));
    return lines;
  }

  private static Tone toneOf(String line) {
    return switch (line.charAt(0)) {
      case '+' -> Tone.GOOD;
      case '-' -> Tone.BAD;
      case '@' -> Tone.FAINT;
      default -> Tone.PLAIN;
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
                  return count == 0 ? null : count + " " + verdict.words();
                })
            .filter(Objects::nonNull)
            .collect(Collectors.joining(", "));
    return counts + "; this was a look, nothing was changed";
  }
}
