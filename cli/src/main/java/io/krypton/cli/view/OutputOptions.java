// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.krypton.cli.view.View.WatchRegistry;
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
  private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(30);

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
  public interface ViewSource {
    View read(WatchRegistry watchRegistry) throws InterruptedException;
  }

  /** Shows what a look gives, once or again and again. */
  public int show(ViewSource viewSource) throws InterruptedException {
    if (watch && (format == Format.json || format == Format.yaml)) {
      throw CliException.usage("--watch shows tables; leave out -o " + format);
    }
    if (watch) {
      return showAndWatch(viewSource);
    }
    print(viewSource.read(WatchRegistry.none()));
    return 0;
  }

  private int showAndWatch(ViewSource viewSource) throws InterruptedException {
    try (var changeWatcher = new ChangeWatcher()) {
      var look = viewSource.read(changeWatcher);
      print(look);
      while (true) {
        changeWatcher.releaseUnused();
        changeWatcher.await(REFRESH_INTERVAL);
        var next = viewSource.read(changeWatcher);
        printChanges(look, next);
        look = next;
      }
    }
  }

  private void print(View look) {
    switch (format) {
      case table, wide -> {
        lines(look.heading());
        if (!look.table().rows().isEmpty()) {
          lines(look.table().lines(layout()));
        }
      }
      case json -> lines(List.of(Documents.json(look.document())));
      case yaml -> lines(List.of(Documents.yaml(look.document())));
      case name -> lines(look.names());
    }
    var err = spec.commandLine().getErr();
    look.notes().forEach(err::println);
    err.flush();
  }

  private void printChanges(View before, View next) {
    if (format == Format.name) {
      lines(next.names().stream().filter(name -> !before.names().contains(name)).toList());
      return;
    }
    if (!next.heading().equals(before.heading())) {
      lines(next.heading());
    }
    lines(next.table().linesSince(before.table(), layout()));
  }

  private Table.Layout layout() {
    return new Table.Layout(format == Format.wide, !noHeaders, Terminal.hasColours());
  }

  private void lines(List<String> lines) {
    PrintWriter out = spec.commandLine().getOut();
    lines.forEach(out::println);
    out.flush();
  }

  /** What {@code -o json} and {@code -o yaml} print. */
  public static final class Documents {
    private Documents() {}

    /** Indented, as kubectl does. */
    public static String json(Object document) {
      var mapper = new JsonMapper();
      try {
        return mapper
            .writerWithDefaultPrettyPrinter()
            .writeValueAsString(mapper.readTree(new KubernetesSerialization().asJson(document)));
      } catch (JsonProcessingException impossible) {
        throw new IllegalStateException("JSON that was just written cannot be read", impossible);
      }
    }

    public static String yaml(Object document) {
      return new KubernetesSerialization()
          .asYaml(document)
          .replaceFirst("^---\n", "")
          .stripTrailing();
    }
  }
}
