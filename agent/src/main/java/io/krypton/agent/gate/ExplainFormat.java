// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.krypton.kms.config.ProviderExplanation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How an explanation is written. */
public enum ExplainFormat {
  TEXT,
  MARKDOWN,
  JSON;

  private static final String INDENT = " ".repeat(28);

  public static Optional<ExplainFormat> parse(String text) {
    for (var explainFormat : values()) {
      if (explainFormat.name().toLowerCase(Locale.ROOT).equals(text)) {
        return Optional.of(explainFormat);
      }
    }
    return Optional.empty();
  }

  /** Rules, and notes below them. */
  public String contract(List<PluginContract.Row> rows, List<String> notes) {
    return switch (this) {
      case JSON -> json(rows, notes);
      case MARKDOWN ->
          table(List.of("Observation", "Verdict", "Reason", "What helps"), cells(rows))
              + (notes.isEmpty() ? "" : "\n")
              + notes.stream().map(note -> "- " + note + "\n").collect(Collectors.joining());
      case TEXT ->
          rows.stream()
                  .map(
                      row ->
                          "%-5s  %-20s %s%n%s"
                              .formatted(
                                  row.verdict(),
                                  row.reason(),
                                  row.observation(),
                                  row.hint().isEmpty()
                                      ? ""
                                      : INDENT + "helps: %s%n".formatted(row.hint())))
                  .collect(Collectors.joining())
              + (notes.isEmpty() ? "" : "\n")
              + notes.stream().map(note -> note + "\n").collect(Collectors.joining());
    };
  }

  private static List<List<String>> cells(List<PluginContract.Row> rows) {
    return rows.stream()
        .map(row -> List.of(row.observation(), row.verdict().toString(), row.reason(), row.hint()))
        .toList();
  }

  private static String json(List<PluginContract.Row> rows, List<String> notes) {
    var json = JsonNodeFactory.instance.objectNode();
    ArrayNode list = json.putArray("rows");
    for (var row : rows) {
      list.addObject()
          .put("observation", row.observation())
          .put("verdict", row.verdict().value())
          .put("reason", row.reason())
          .put("hint", row.hint());
    }
    var texts = json.putArray("notes");
    notes.forEach(texts::add);
    return json.toPrettyString() + "\n";
  }

  /** The providers of a configuration, and what is odd about it as a whole. */
  public String providers(List<ProviderExplanation> providers, List<String> warnings) {
    return switch (this) {
      case JSON -> providersJson(providers, warnings);
      case MARKDOWN ->
          table(
                  List.of("Check", "Name", "Role", "API", "Address", "Timeout", "Warnings"),
                  providers.stream().map(ExplainFormat::cells).toList())
              + warnings.stream().map(text -> "\nwarning: " + text).collect(Collectors.joining());
      case TEXT -> text(providers, warnings);
    };
  }

  private static List<String> cells(ProviderExplanation provider) {
    return List.of(
        provider.check(),
        provider.name(),
        provider.role().toString(),
        provider.apiVersion(),
        provider.address(),
        provider.timeout(),
        String.join("; ", provider.warnings()));
  }

  private static String text(List<ProviderExplanation> providers, List<String> warnings) {
    var lines = new ArrayList<String>();
    if (providers.isEmpty()) {
      lines.add("no KMS provider: the gate opens at once");
    }
    for (var provider : providers) {
      lines.add(
          "%s  %s  %s  %s  %s  timeout %s"
              .formatted(
                  provider.check(),
                  provider.name(),
                  provider.role(),
                  provider.apiVersion(),
                  provider.address().isEmpty() ? "(no address)" : provider.address(),
                  provider.timeout()));
      provider.warnings().forEach(warning -> lines.add("    warning: " + warning));
    }
    warnings.forEach(warning -> lines.add("warning: " + warning));
    return String.join("\n", lines) + "\n";
  }

  private static String providersJson(List<ProviderExplanation> providers, List<String> warnings) {
    var json = JsonNodeFactory.instance.objectNode();
    var list = json.putArray("providers");
    for (var provider : providers) {
      var texts =
          list.addObject()
              .put("index", provider.index())
              .put("check", provider.check())
              .put("name", provider.name())
              .put("role", provider.role().name())
              .put("api", provider.apiVersion())
              .put("address", provider.address())
              .put("timeout", provider.timeout())
              .putArray("warnings");
      provider.warnings().forEach(texts::add);
    }
    var texts = json.putArray("warnings");
    warnings.forEach(texts::add);
    return json.toPrettyString() + "\n";
  }

  private static String table(List<String> head, List<List<String>> rows) {
    var lines = new ArrayList<String>();
    lines.add(line(head));
    lines.add("|" + "---|".repeat(head.size()));
    rows.forEach(row -> lines.add(line(row)));
    return String.join("\n", lines) + "\n";
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }
}
