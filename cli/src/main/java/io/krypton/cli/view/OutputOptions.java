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
  /** For what no watch tells: a cluster that stops to answer, an object that may not be watched. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}.")
  Format format = Format.table;

  @Option(names = "--no-headers", description = "Leave out the titles of the table.")
  boolean noHeaders;

  @Option(
      names = {"-w", "--watch"},
      description = "Watch, and show what changes until interrupted.")
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

  /** Looks once, and tells what the look depends on before it looks at it. */
  @FunctionalInterface
  public interface Looking {
    Look look(Follower follower) throws InterruptedException;
  }

  /** Shows what a look gives, once or again and again. */
  public int show(Session session, Looking looking) throws InterruptedException {
    if (watch && (format == Format.json || format == Format.yaml)) {
      throw UserError.usage("--watch shows tables; leave out -o " + format);
    }
    var serialization = session.client().getKubernetesSerialization();
    if (watch) {
      return showForEver(serialization, looking);
    }
    print(serialization, looking.look(Follower.nobody()));
    return 0;
  }

  private int showForEver(KubernetesSerialization serialization, Looking looking)
      throws InterruptedException {
    try (var news = new News()) {
      var look = looking.look(news);
      print(serialization, look);
      while (true) {
        news.lookEnds();
        news.await(LOOK_AGAIN);
        var next = looking.look(news);
        printChanges(look, next);
        look = next;
      }
    }
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
