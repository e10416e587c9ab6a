// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only GitHub reads, and nobody would notice when it is wrong. */
class GitHubFilesTest {
  private static final String WORKFLOW = ".github/workflows/ci.yml";
  private static final Pattern MAKE = Pattern.compile("(?:run: |`)make ([a-z-]+)");
  private static final Set<String> INPUTS = Set.of("checkboxes", "dropdown", "input", "textarea");

  private static Stream<JsonNode> steps() throws IOException {
    return Repository.yaml(WORKFLOW)
        .path("jobs")
        .valueStream()
        .flatMap(job -> job.path("steps").valueStream());
  }

  @Test
  void every_make_target_that_is_named_exists() throws IOException {
    var makefile = Repository.text("Makefile");
    var targets = new ArrayList<String>();
    for (var file : Repository.below(".github")) {
      MAKE.matcher(Repository.text(file)).results().forEach(found -> targets.add(found.group(1)));
    }

    assertThat(targets)
        .contains("lint", "test")
        .allSatisfy(target -> assertThat(makefile).contains("\n" + target + ":"));
  }

  @Test
  void the_workflow_runs_nothing_but_make() throws IOException {
    assertThat(steps().map(step -> step.path("run").asText()).filter(run -> !run.isEmpty()))
        .isNotEmpty()
        .allMatch(run -> run.matches("make [a-z-]+"));
  }

  @Test
  void the_workflow_may_read_and_knows_no_secret() throws IOException {
    var workflow = Repository.yaml(WORKFLOW);

    assertThat(workflow.path("permissions")).hasToString("{\"contents\":\"read\"}");
    assertThat(workflow.path("jobs"))
        .isNotEmpty()
        .noneMatch(job -> job.has("permissions"))
        .allMatch(job -> job.path("timeout-minutes").isInt());
    assertThat(Repository.text(WORKFLOW)).doesNotContain("secrets.", "pull_request_target");
    assertThat(steps().map(step -> step.path("uses").asText()).filter(uses -> !uses.isEmpty()))
        .isNotEmpty()
        .allMatch(uses -> uses.matches("actions/[a-z-]+@v\\d+"));
  }

  @Test
  void the_workflow_has_the_jdk_and_the_go_of_the_build() throws IOException {
    assertThat(settings("java-version"))
        .isNotEmpty()
        .allSatisfy(
            version ->
                assertThat(Repository.text("pom.xml"))
                    .contains("<maven.compiler.release>" + version + "<"));
    assertThat(settings("go-version"))
        .isNotEmpty()
        .allSatisfy(
            version ->
                assertThat(Repository.text("tools/kubernetes/go.mod"))
                    .contains("\ngo " + version + "."));
  }

  private static List<String> settings(String name) throws IOException {
    return steps()
        .map(step -> step.path("with").path(name).asText())
        .filter(setting -> !setting.isEmpty())
        .toList();
  }

  @Test
  void whatever_has_an_owner_exists() throws IOException {
    var lines =
        Repository.text(".github/CODEOWNERS")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> line.split("\\s+"))
            .toList();

    assertThat(lines.getFirst()[0]).isEqualTo("*");
    for (var line : lines) {
      assertThat(line).hasSize(2);
      assertThat(line[1]).matches("@[a-z-]+/[a-z-]+");
    }
    assertThat(lines.stream().skip(1).map(line -> line[0]))
        .allSatisfy(
            path -> {
              var file = Repository.file(path.replaceFirst("^/", ""));
              assertThat(path).startsWith("/");
              assertThat(file).exists();
              assertThat(Files.isDirectory(file)).as(path).isEqualTo(path.endsWith("/"));
            });
  }

  @Test
  void every_module_in_go_is_kept_up_to_date() throws IOException {
    var directories = new ArrayList<String>();
    for (var update : Repository.yaml(".github/dependabot.yml").path("updates")) {
      if (update.path("package-ecosystem").asText().equals("gomod")) {
        update.path("directories").forEach(directory -> directories.add(directory.asText()));
      }
    }

    var sources = new ArrayList<>(Repository.below("tools"));
    sources.addAll(Repository.below("helm-worker"));

    assertThat(sources)
        .filteredOn(file -> file.endsWith("/go.mod"))
        .extracting(file -> "/" + file.replaceFirst("/go.mod$", ""))
        .containsExactlyInAnyOrderElementsOf(directories);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bug_report.yml", "feature_request.yml"})
  void a_form_has_what_github_requires(String name) throws IOException {
    var form = Repository.yaml(".github/ISSUE_TEMPLATE/" + name);
    var ids = new ArrayList<String>();

    assertThat(form.path("name").asText()).isNotBlank();
    assertThat(form.path("description").asText()).isNotBlank();
    for (var element : form.path("body")) {
      var attributes = element.path("attributes");
      if (element.path("type").asText().equals("markdown")) {
        assertThat(attributes.path("value").asText()).isNotBlank();
      } else {
        ids.add(element.path("id").asText());
        assertThat(element.path("type").asText()).isIn(INPUTS);
        assertThat(attributes.path("label").asText()).isNotBlank();
        assertThat(options(element)).as(ids.getLast()).doesNotHaveDuplicates();
      }
    }
    assertThat(ids)
        .isNotEmpty()
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("[A-Za-z0-9_-]+"));
  }

  /** What can be chosen; empty for what is typed. */
  private static List<String> options(JsonNode element) {
    var options = element.path("attributes").path("options").valueStream();
    return switch (element.path("type").asText()) {
      case "dropdown" -> atLeastOne(options.map(JsonNode::asText).toList());
      case "checkboxes" ->
          atLeastOne(options.map(option -> option.path("label").asText()).toList());
      default -> List.of();
    };
  }

  private static List<String> atLeastOne(List<String> options) {
    assertThat(options).isNotEmpty().noneMatch(String::isBlank);
    return options;
  }

  @Test
  void questions_and_vulnerabilities_are_led_elsewhere() throws IOException {
    var config = Repository.yaml(".github/ISSUE_TEMPLATE/config.yml");

    assertThat(config.path("blank_issues_enabled").isBoolean()).isTrue();
    assertThat(config.path("contact_links"))
        .isNotEmpty()
        .allMatch(link -> !link.path("name").asText().isBlank())
        .allMatch(link -> !link.path("about").asText().isBlank())
        .allMatch(link -> link.path("url").asText().startsWith("https://"))
        .anyMatch(link -> link.path("url").asText().endsWith("/security/advisories/new"));
  }
}
