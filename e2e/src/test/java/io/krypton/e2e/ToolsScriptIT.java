// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code tools/provide} with made-up binaries: no network and no Go build is needed to see what it
 * does.
 */
class ToolsScriptIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path temp;
  private Path bin;

  @BeforeEach
  void a_path_without_go_and_curl() throws IOException {
    bin = Files.createDirectory(temp.resolve("bin"));
    for (var needed :
        List.of(
            "bash", "dirname", "uname", "tr", "sed", "mkdir", "flock", "rm", "mktemp", "tail",
            "env", "cut", "mv", "sleep", "cat", "chmod")) {
      script(bin.resolve(needed), "exec /usr/bin/%s \"$@\"".formatted(needed));
    }
  }

  @Test
  void an_assets_directory_beats_the_cache() throws Exception {
    var assets = temp.resolve("assets");
    script(assets.resolve("etcd"), "exit 0");
    script(cached("etcd-3.6.16/etcd"), "exit 0");

    assertThat(provide("--path", "etcd").out()).isEqualTo(cached("etcd-3.6.16/etcd") + "\n");
    var shell = shell().with("KRYPTON_ASSETS", assets.toString());
    assertThat(shell.run(LIMIT, provideScript(), "--path", "etcd").out())
        .isEqualTo(assets.resolve("etcd") + "\n");
    assertThat(shell.run(LIMIT, provideScript(), "etcd").err()).contains("(assets directory)");
  }

  @Test
  void without_go_and_network_the_error_names_the_remedies() throws Exception {
    var answer = provide("helm");

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err())
        .contains("helm 4.3.1 is not here, could not be downloaded, and there is no Go to build it")
        .contains("install Go 1.26 or newer, or set KRYPTON_ASSETS");
  }

  @Test
  void a_build_is_verified_by_running_it_before_it_enters_the_cache() throws Exception {
    goThatBuilds("echo etcd Version: 9.9.9");

    var answer = provide("etcd");

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err()).contains("does not run as version 3.6.16");
    assertThat(cached("etcd-3.6.16/etcd")).doesNotExist();
  }

  @Test
  void two_runs_at_once_build_once() throws Exception {
    goThatBuilds("echo etcd Version: 3.6.16");

    var both =
        shell()
            .run(LIMIT, "bash", "-c", "\"$1\" etcd & \"$1\" etcd; wait", "both", provideScript());

    assertThat(both.exit()).as(both.err()).isZero();
    assertThat(Files.readAllLines(temp.resolve("builds"))).hasSize(1);
    assertThat(cached("etcd-3.6.16/etcd")).isExecutable();
  }

  @Test
  void a_failed_build_shows_the_end_of_its_log_and_leaves_nothing() throws Exception {
    script(
        bin.resolve("go"),
        "[ \"$1\" = env ] && echo go1.26 && exit; echo no such package >&2; exit 1");

    var answer = provide("etcd");

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err()).contains("no such package", "building etcd 3.6.16 failed", ".log");
    assertThat(cached("etcd-3.6.16/etcd")).doesNotExist();
  }

  @Test
  void an_unknown_binary_is_named_with_the_known_ones() throws Exception {
    var answer = provide("kubelet");

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err()).contains("unknown binary 'kubelet'", "kube-apiserver");
  }

  @Test
  void what_has_no_sum_in_the_tree_is_not_even_asked_for() throws Exception {
    curlThatServes("#!/bin/bash\necho etcd Version: 3.6.16");
    goThatBuilds("echo etcd Version: 3.6.16");
    var tools = toolsWithSum("0".repeat(64), "another-file.tar.gz");

    var answer = online().run(LIMIT, tools, "etcd");

    assertThat(answer.exit()).as(answer.err()).isZero();
    assertThat(answer.err()).contains("not downloaded, for tools/downloads.sha256 has no sum of");
    assertThat(temp.resolve("requests")).doesNotExist();
    assertThat(Files.readAllLines(temp.resolve("builds"))).hasSize(1);
  }

  @Test
  void a_download_with_another_sum_than_the_tree_names_is_refused() throws Exception {
    curlThatServes("#!/bin/bash\necho v1.36.3; echo and something else >&2");
    var tools = toolsWithSum("0".repeat(64), officialKubectl());

    var answer = online().run(LIMIT, tools, "kubectl");

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err())
        .contains("does not have the SHA-256 that tools/downloads.sha256 names", "not used");
    assertThat(Files.readString(temp.resolve("requests"))).contains("https://dl.k8s.io/release/");
    assertThat(cached("kubernetes-1.36.3/kubectl")).doesNotExist();
  }

  @Test
  void a_download_with_the_sum_of_the_tree_is_used() throws Exception {
    var served = "#!/bin/bash\necho v1.36.3";
    curlThatServes(served);
    var tools = toolsWithSum(sha256(served + "\n"), officialKubectl());

    var answer = online().run(LIMIT, tools, "kubectl");

    assertThat(answer.exit()).as(answer.err()).isZero();
    assertThat(cached("kubernetes-1.36.3/kubectl")).isExecutable().hasContent(served + "\n");
  }

  @Test
  void the_helm_worker_is_built_of_this_tree_and_never_downloaded() throws Exception {
    curlThatServes("#!/bin/bash\necho tampered");
    // The name of the new file holds the version that it must tell.
    goThatBuilds("echo $0");

    var built = online().run(LIMIT, provideScript(), "krypton-helm");
    var again = online().run(LIMIT, provideScript(), "krypton-helm");

    assertThat(built.exit()).as(built.err()).isZero();
    assertThat(again.err()).contains("(cache)");
    assertThat(Files.readAllLines(temp.resolve("builds"))).hasSize(1);
    assertThat(temp.resolve("requests")).doesNotExist();
  }

  @Test
  void without_go_everything_but_the_helm_worker_is_provided() throws Exception {
    for (var path :
        List.of(
            "etcd-3.6.16/etcd",
            "kubernetes-1.36.3/kube-apiserver",
            "kubernetes-1.36.3/kube-controller-manager",
            "kubernetes-1.36.3/kubectl",
            "helm-4.3.1/helm")) {
      script(cached(path), "exit 0");
    }

    var answer = provide();

    assertThat(answer.exit()).as(answer.err()).isZero();
    assertThat(answer.err())
        .contains("helm: " + cached("helm-4.3.1/helm"))
        .endsWith(
            "krypton-helm: there is no Go to build it;"
                + " the operator will run the Helm command line instead\n");
  }

  @Test
  void what_simulated_nodes_need_is_provided_only_by_name() throws Exception {
    goThatBuilds("echo 0.8.0 etcd 3.6.16 helm 4.3.1 kubernetes v1.36.3 $0");
    var scheduler = cached("kubernetes-1.36.3/kube-scheduler");
    var kwok = cached("kwok-0.8.0/kwok");

    var usual = provide();

    assertThat(usual.exit()).as(usual.err()).isZero();
    assertThat(usual.err()).contains("kubectl").doesNotContain("kwok", "kube-scheduler");
    assertThat(provide("--path", "kwok").err())
        .isEqualTo("tools: kwok is not here yet; run: tools/provide kwok\n");

    var named = provide("kube-scheduler", "kwok");

    assertThat(named.exit()).as(named.err()).isZero();
    assertThat(scheduler).isExecutable();
    assertThat(provide("--path", "kwok").out()).isEqualTo(kwok + "\n");
  }

  @Test
  void a_maven_with_another_sum_than_the_tree_names_is_refused() throws Exception {
    script(
        bin.resolve("mvn"),
        """
        if [ "$1" = --version ]; then echo Apache Maven 3.8.7; exit; fi
        for argument; do case $argument in -DoutputDirectory=*) into=${argument#*=} ;; esac; done
        echo tampered > "$into/apache-maven-3.9.16-bin.zip"
        """);
    for (var needed : List.of("grep", "sha256sum", "sort", "head")) {
      script(bin.resolve(needed), "exec /usr/bin/%s \"$@\"".formatted(needed));
    }

    var answer = shell().run(LIMIT, Shell.ROOT.resolve("tools/maven").toString(), "--version");

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err())
        .contains("apache-maven-3.9.16-bin.zip does not have the SHA-256 that tools/downloads");
    assertThat(temp.resolve("cache/krypton/maven/apache-maven-3.9.16")).doesNotExist();
  }

  @Test
  void the_authorities_for_the_image_are_certificates_and_nothing_else() throws Exception {
    var bundle = new Shell(temp).run(LIMIT, Shell.ROOT.resolve("tools/ca-bundle").toString());

    assertThat(bundle.exit()).as(bundle.err()).isZero();
    assertThat(bundle.out()).startsWith("-----BEGIN CERTIFICATE-----\n");
    assertThat(
            CertificateFactory.getInstance("X.509")
                .generateCertificates(
                    new ByteArrayInputStream(bundle.out().getBytes(StandardCharsets.US_ASCII))))
        .hasSizeGreaterThan(50);
    assertThat(Files.readString(Shell.ROOT.resolve("tools/image")))
        .contains("/etc/ssl/certs/ca-certificates.crt");
  }

  private Shell.Result provide(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(provideScript()));
    command.addAll(List.of(arguments));
    return shell().run(LIMIT, command.toArray(String[]::new));
  }

  private Shell shell() {
    return new Shell(temp)
        .with("XDG_CACHE_HOME", temp.resolve("cache").toString())
        .with("PATH", bin.toString())
        .with("KRYPTON_TOOLS_OFFLINE", "1")
        .without("KRYPTON_ASSETS")
        .without("KUBEBUILDER_ASSETS");
  }

  private static String provideScript() {
    return Shell.ROOT.resolve("tools/provide").toString();
  }

  private Path cached(String path) {
    return temp.resolve("cache/krypton/tools").resolve(path);
  }

  /**
   * A Go whose build writes a script as the binary and one line into a file, so that builds can be
   * counted.
   */
  private void goThatBuilds(String binaryBody) throws IOException {
    script(
        bin.resolve("go"),
        """
        if [ "$1" = env ]; then echo go1.26; exit; fi
        echo built >> %s
        while [ "$1" != -o ]; do shift; done
        printf '#!/bin/bash\\n%s\\n' > "$2"
        chmod 755 "$2"
        """
            .formatted(temp.resolve("builds"), binaryBody));
  }

  /**
   * A network on which every address leads to this content, and every address of a sum to the sum
   * of it: who tampers with a download can do that. What is asked for is written down.
   */
  private void curlThatServes(String content) throws IOException {
    for (var needed : List.of("sha256sum", "tar")) {
      script(bin.resolve(needed), "exec /usr/bin/%s \"$@\"".formatted(needed));
    }
    Files.writeString(temp.resolve("served"), content + "\n");
    script(
        bin.resolve("curl"),
        """
        echo "$*" >> %1$s
        case "$*" in *.sha256) answer=$(sha256sum < %2$s) ;; *) answer=$(cat %2$s) ;; esac
        while [ "$1" != -o ]; do shift; done
        printf '%%s\\n' "$answer" > "$2"
        """
            .formatted(temp.resolve("requests"), temp.resolve("served")));
  }

  /** The tools of the tree with one sum in the place of all others; returns the script. */
  private String toolsWithSum(String sum, String name) throws IOException {
    var tools = Files.createDirectory(temp.resolve("tools"));
    Files.createDirectory(tools.resolve("etcd"));
    for (var file : List.of("provide", "progress", "versions.properties")) {
      Files.copy(
          Shell.ROOT.resolve("tools").resolve(file),
          tools.resolve(file),
          StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.writeString(tools.resolve("downloads.sha256"), "# sums\n" + sum + "  " + name + "\n");
    return tools.resolve("provide").toString();
  }

  private Shell online() {
    return shell().without("KRYPTON_TOOLS_OFFLINE");
  }

  private static String officialKubectl() {
    var arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    return "kubernetes-v1.36.3/linux/" + arch + "/kubectl";
  }

  private static String sha256(String text) throws NoSuchAlgorithmException {
    var digest = MessageDigest.getInstance("SHA-256");
    return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void script(Path file, String body) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/bash\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
