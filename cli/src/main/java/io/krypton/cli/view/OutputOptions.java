package io.krypton.cli.view;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How a look is shown, with kubectl's flags. */
public final class OutputOptions {
  private static final Duration PAUSE = Duration.ofSeconds(2);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}.")
  Format format = Format.table;

  @Option(names = "--no-headers", description = "Leave out the titles of the table.")
  boolean noHeaders;

  @Option(
      names = {"-w", "--watch"},
      description = "Look again every 2 s and show what changed, until interrupted.")
  boolean watch;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /** Lower case as users write it. */
  public enum Format {
    table,
    wide,
    json,
    yaml,
    name
  }

  /** Looks once. */
  @FunctionalInterface
  public interface Looking {
    Look look() throws InterruptedException;
  }

  /** Shows what a look gives, once or again and again. */
  public int show(Session session, Looking looking) throws InterruptedException {
    if (watch && (format == Format.json || format == Format.yaml)) {
      throw UserError.usage("--watch shows tables; leave out -o " + format);
    }
    var look = looking.look();
    print(session.client().getKubernetesSerialization(), look);
    while (watch) {
      Thread.sleep(PAUSE);
      var next = looking.look();
      printChanges(look, next);
      look = next;
    }
    return 0;
  }

  private void print(KubernetesSerialization serialization, Look look) {
    switch (format) {
      case table, wide -> {
        lines(look.heading());
        if (!look.table().rows().isEmpty()) {
          lines(look.table().lines(style()));
        }
      }
      case json -> lines(List.of(Documents.json(serialization, look.document())));
      case yaml -> lines(List.of(Documents.yaml(serialization, look.document())));
      case name -> lines(look.names());
    }
    var err = spec.commandLine().getErr();
    look.notes().forEach(err::println);
    err.flush();
  }

  private void printChanges(Look before, Look next) {
    if (format == Format.name) {
      lines(next.names().stream().filter(name -> !before.names().contains(name)).toList());
      return;
    }
    if (!next.heading().equals(before.heading())) {
      lines(next.heading());
    }
    lines(next.table().linesSince(before.table(), style()));
  }

  private Table.Style style() {
    return new Table.Style(format == Format.wide, !noHeaders, Terminal.hasColours());
  }

  private void lines(List<String> lines) {
    PrintWriter out = spec.commandLine().getOut();
    lines.forEach(out::println);
    out.flush();
  }
}
