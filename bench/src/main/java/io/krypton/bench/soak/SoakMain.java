// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak;

import io.krypton.bench.BenchMain.Machine;
import io.krypton.bench.BenchMain.ToolVersions;
import io.krypton.bench.soak.fleet.SoakFleet;
import io.krypton.bench.soak.plan.SoakSettings;
import io.krypton.sandbox.Directories;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/**
 * Runs a soak and writes its page. Arguments: the directory of the distribution, the directory for
 * the page, and parameters, as {@link SoakSettings} reads them. Ends with 1 if something does not
 * hold.
 */
public final class SoakMain {
  private static final int SEEDS = 1_000_000;
  private static final int MOST_SHOWN = 20;

  private SoakMain() {}

  public static void main(String... arguments) throws Exception {
    var distribution = Path.of(arguments[0]).toAbsolutePath();
    var target = Files.createDirectories(Path.of(arguments[1]));
    var words = List.of(arguments).subList(2, arguments.length).toArray(String[]::new);
    var settings = SoakSettings.of(new SecureRandom().nextInt(SEEDS), words);
    System.out.println(settings.words());
    var directory = Files.createTempDirectory("krypton-soak");
    var result = run(settings, distribution, directory, target);
    for (var invariant : result.invariants()) {
      System.out.println((invariant.holds() ? "holds: " : "BROKEN: ") + invariant.name());
      invariant.violations().stream()
          .limit(MOST_SHOWN)
          .forEach(it -> System.out.println("  " + it));
    }
    System.out.println(target.resolve("soak.md"));
    if (result.holds()) {
      Directories.delete(directory);
    } else {
      System.out.println("logs are in %s; repeat with: %s".formatted(directory, settings.words()));
    }
    System.exit(result.holds() ? 0 : 1);
  }

  private static SoakResult run(
      SoakSettings settings, Path distribution, Path directory, Path target) throws Exception {
    var circumstances = Machine.describe();
    circumstances.putAll(ToolVersions.inUse());
    var begun = System.nanoTime();
    try (var fleet = SoakFleet.start(settings, distribution, directory);
        var diary =
            new PrintWriter(Files.newBufferedWriter(directory.resolve("diary.log")), true)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> close(fleet)));
      var result = new Soak(settings, fleet, System.out::println, diary::println).run();
      circumstances.put("Took", "%d min".formatted((System.nanoTime() - begun) / 60_000_000_000L));
      Files.writeString(target.resolve("soak.md"), SoakPage.of(settings, circumstances, result));
      return result;
    } catch (Exception e) {
      System.out.println("FAILED, see %s; repeat with: %s".formatted(directory, settings.words()));
      throw e;
    }
  }

  /** Whoever breaks off a soak does not want its operators to go on. */
  private static void close(SoakFleet fleet) {
    try {
      fleet.close();
    } catch (Exception e) {
      System.out.println("cannot clean up: " + e);
    }
  }
}
