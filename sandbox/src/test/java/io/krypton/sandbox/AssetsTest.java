// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.Assets.MissingBinariesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AssetsTest {
  @TempDir Path root;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void name_all_places() {
    environment.put("KRYPTON_ASSETS", root.resolve("krypton").toString());
    environment.put("KUBEBUILDER_ASSETS", root.resolve("kubebuilder").toString());
    environment.put("XDG_CACHE_HOME", root.resolve("cache").toString());
    environment.put("HOME", root.resolve("home").toString());
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource({
    "the first assets directory wins, krypton/etcd kubebuilder/etcd CACHE/etcd, krypton/etcd",
    "the second assets directory is next, kubebuilder/etcd CACHE/etcd, kubebuilder/etcd",
    "the cache is last, CACHE/etcd, CACHE/etcd",
    "another binary in a directory does not count, krypton/helm CACHE/etcd, CACHE/etcd",
  })
  void each_binary_is_looked_for_on_its_own(String rule, String present, String expected)
      throws IOException {
    for (var file : present.split(" ")) {
      executable(place(file));
    }

    assertThat(new Assets(environment).find(Binary.ETCD)).as(rule).isEqualTo(place(expected));
  }

  @Test
  void a_file_that_cannot_be_run_is_passed_over() throws IOException {
    Files.createDirectories(root.resolve("krypton"));
    Files.createFile(root.resolve("krypton/etcd"));
    executable(place("CACHE/etcd"));

    assertThat(new Assets(environment).find(Binary.ETCD)).isEqualTo(place("CACHE/etcd"));
  }

  @Test
  void without_a_cache_variable_the_cache_is_below_the_home_directory() throws IOException {
    environment.put("XDG_CACHE_HOME", "");
    var inHome = root.resolve("home/.cache/krypton/tools/etcd-3.6.16/etcd");
    executable(inHome);

    assertThat(new Assets(environment).find(Binary.ETCD)).isEqualTo(inHome);
  }

  @Test
  void one_exception_names_all_that_is_missing_and_the_remedy() throws IOException {
    executable(place("CACHE/etcd"));
    var assets = new Assets(environment);

    assertThatThrownBy(
            () -> assets.require(List.of(Binary.ETCD, Binary.KUBE_APISERVER, Binary.HELM)))
        .isInstanceOf(MissingBinariesException.class)
        .hasMessageStartingWith("kube-apiserver, helm not found")
        .hasMessageContaining(root.resolve("krypton").toString())
        .hasMessageContaining(root.resolve("kubebuilder").toString())
        .hasMessageContaining(root.resolve("cache/krypton/tools/helm-4.3.1").toString())
        .hasMessageContaining("make tools")
        .hasMessageContaining("KRYPTON_ASSETS");
  }

  @Test
  void what_is_provided_only_by_name_has_a_remedy_of_its_own() throws IOException {
    executable(place("CACHE/etcd"));
    var assets = new Assets(environment);

    assertThatThrownBy(
            () -> assets.require(List.of(Binary.ETCD, Binary.KUBE_SCHEDULER, Binary.KWOK)))
        .hasMessageStartingWith("kube-scheduler, kwok not found")
        .hasMessageContaining(root.resolve("cache/krypton/tools/kwok-0.8.0").toString())
        .hasMessageContaining("Remedy: run `tools/provide kube-scheduler kwok`, or set KRYPTON_");
    assertThatThrownBy(() -> assets.require(List.of(Binary.HELM, Binary.KWOK)))
        .hasMessageContaining("Remedy: run `make tools` and `tools/provide kwok`, or set");
  }

  private Path place(String file) {
    return root.resolve(file.replace("CACHE", "cache/krypton/tools/etcd-3.6.16"));
  }

  private static void executable(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.createFile(file);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
