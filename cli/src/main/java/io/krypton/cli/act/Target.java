package io.krypton.cli.act;

import io.krypton.cli.settings.DurationConverter;
import io.krypton.cli.view.ObjectName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The objects that are changed, and whether to wait for the operator. */
final class Target {
  @Parameters(
      arity = "0..*",
      paramLabel = "TYPE/NAME",
      description = "tenant/NAME or kryptondeployment/NAME; also tn NAME…, kd NAME….")
  private List<String> objects = new ArrayList<>();

  @Option(names = "--wait", description = "Wait until the operator has acted on it.")
  boolean wait;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "60s",
      description = "How long --wait waits; default: 60s.")
  Duration timeout = Duration.ofSeconds(60);

  List<ObjectName> names() {
    return ObjectName.parse(objects);
  }
}
