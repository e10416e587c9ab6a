package io.krypton.operator.observe;

import io.krypton.operator.observe.Metrics.Sample;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Families whose labels are the message, such as {@code krypton_platform_info}. The registry takes
 * the suffix {@code _info} away from a gauge, so they are written here.
 */
final class InfoFamilies {
  static final String SUFFIX = "_info";

  private final List<Family> families = new CopyOnWriteArrayList<>();

  private record Family(String name, String help, Supplier<List<Sample>> samples) {}

  void add(String name, String help, Supplier<List<Sample>> samples) {
    families.add(new Family(name, help, samples));
  }

  /** All of them in Prometheus text. */
  String text() {
    return families.stream().map(InfoFamilies::text).collect(Collectors.joining());
  }

  private static String text(Family family) {
    return "# HELP %s %s\n# TYPE %s gauge\n".formatted(family.name, family.help, family.name)
        + family.samples.get().stream()
            .map(
                sample ->
                    "%s{%s} %s\n".formatted(family.name, labels(sample.labels()), sample.value()))
            .collect(Collectors.joining());
  }

  private static String labels(Map<String, String> labels) {
    return labels.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(label -> "%s=\"%s\"".formatted(label.getKey(), escaped(label.getValue())))
        .collect(Collectors.joining(","));
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
