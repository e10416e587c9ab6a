// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The real kubectl with a cache of its own. */
record Kubectl(Path binary, Path home) {

  static Kubectl on(ControlPlane plane, Path home) throws IOException {
    Files.writeString(home.resolve("kubeconfig"), plane.adminKubeconfig());
    return new Kubectl(Assets.fromEnvironment().find(Binary.KUBECTL), home);
  }

  /** What kubectl prints; anything but success fails the test. */
  String run(String arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(binary.toString()));
    command.addAll(Arrays.asList(arguments.split(" ")));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", home.resolve("kubeconfig").toString());
    builder.environment().put("HOME", home.toString());
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  /** A printed table as rows of cells; kubectl puts at least three blanks between columns. */
  List<List<String>> table(String arguments) throws IOException, InterruptedException {
    return run(arguments)
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> List.of(line.stripTrailing().split(" {3,}")))
        .toList();
  }
}
