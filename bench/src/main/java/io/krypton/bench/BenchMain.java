package io.krypton.bench;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Runs measurements and prints their figures. Arguments: the directory of the distribution, the
 * name of one measurement or {@code all}, and for {@code rollout} how many Tenants and how many
 * quiet minutes.
 */
public final class BenchMain {
  private BenchMain() {}

  public static void main(String... arguments) throws Exception {
    var distribution = Path.of(arguments[0]);
    var wanted = arguments.length > 1 ? arguments[1] : "all";
    System.out.println(Machine.describe());
    switch (wanted) {
      case "all" -> {
        engagement(distribution);
        rollout(distribution, arguments);
        deployments(distribution);
        reporter(distribution);
      }
      case "engagement" -> engagement(distribution);
      case "rollout" -> rollout(distribution, arguments);
      case "deployments" -> deployments(distribution);
      case "reporter" -> reporter(distribution);
      default ->
          throw new IllegalArgumentException(
              "no measurement '%s'; there are engagement, rollout, deployments, reporter and all"
                  .formatted(wanted));
    }
  }

  private static void reporter(Path distribution) throws Exception {
    new ReporterBench(distribution).run(System.out::println);
  }

  private static void engagement(Path distribution) throws Exception {
    for (var clusters : new int[] {10, 100}) {
      System.out.println(new EngagementBench(distribution).run(clusters));
    }
  }

  private static void deployments(Path distribution) throws Exception {
    System.out.println(new DeploymentSteadyBench(distribution, 50, Duration.ofSeconds(90)).run());
  }

  private static void rollout(Path distribution, String... arguments) throws Exception {
    var tenants = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 100;
    var quiet = Duration.ofMinutes(arguments.length > 3 ? Integer.parseInt(arguments[3]) : 10);
    new RolloutBench(distribution, tenants, quiet, System.out::println).run();
  }
}
