// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.api.Labels;
import io.krypton.sandbox.access.KubeApi;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All that ever happened to the release Secrets of some releases, by a watch without a gap: an
 * uninstall takes the history of a release with it, and its labels change.
 */
final class ReleaseJournal implements AutoCloseable {
  private static final String SECRETS = "/api/v1/secrets";

  /** One revision, from its creation to what became of it. */
  record StoredRevision(
      String release,
      int version,
      String fingerprint,
      String instance,
      List<String> statuses,
      boolean deleted) {
    StoredRevision {
      statuses = List.copyOf(statuses);
    }

    String status() {
      return statuses.getLast();
    }

    boolean wasDeployed() {
      return statuses.contains("deployed");
    }

    boolean isPending() {
      return !deleted && status().startsWith("pending-");
    }

    boolean isRollback() {
      return statuses.getFirst().equals("pending-rollback");
    }

    private StoredRevision became(String status, boolean gone) {
      var all = new ArrayList<>(statuses);
      if (!all.getLast().equals(status)) {
        all.add(status);
      }
      return new StoredRevision(release, version, fingerprint, instance, all, gone);
    }
  }

  private final KubeApi api;
  private final String prefix;
  private final Map<String, List<StoredRevision>> releases = new TreeMap<>();
  private final List<String> markers = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final Thread reader;
  private String version;

  /**
   * Begins now.
   *
   * @param api is closed with it
   * @param prefix how the names of the releases begin
   */
  ReleaseJournal(KubeApi api, String prefix) {
    this.api = api;
    this.prefix = prefix;
    this.version = api.get(SECRETS).orThrow().at("/metadata/resourceVersion").asText();
    this.reader = Thread.ofPlatform().daemon().name("journal").start(this::read);
  }

  private void read() {
    while (!Thread.currentThread().isInterrupted()) {
      try (var events = api.follow(SECRETS, version)) {
        events.forEach(this::note);
      } catch (UncheckedIOException closed) {
        return;
      }
    }
  }

  private synchronized void note(JsonNode event) {
    var type = event.path("type").asText();
    var metadata = event.at("/object/metadata");
    if (type.equals("ERROR")) {
      violations.add("the journal has a gap: " + event);
      return;
    }
    version = metadata.path("resourceVersion").asText();
    var labels = metadata.path("labels");
    if (type.equals("ADDED")) {
      markers.add(metadata.path("uid").asText());
    }
    if (!labels.path("owner").asText().equals("helm")
        || !labels.path("name").asText().startsWith(prefix)) {
      return;
    }
    var revisions =
        releases.computeIfAbsent(labels.path("name").asText(), any -> new ArrayList<>());
    if (type.equals("ADDED")) {
      created(revisions, labels);
    } else {
      changed(revisions, labels, type.equals("DELETED"));
    }
  }

  private void created(List<StoredRevision> revisions, JsonNode labels) {
    var fresh =
        new StoredRevision(
            labels.path("name").asText(),
            labels.path("version").asInt(),
            labels.path(Labels.FINGERPRINT).asText(),
            labels.path(Labels.INSTANCE).asText(),
            List.of(labels.path("status").asText()),
            false);
    var below = revisions.stream().filter(it -> !it.deleted()).reduce((one, next) -> next);
    below
        .filter(it -> it.status().equals("deployed"))
        .filter(it -> fresh.isRollback() || it.fingerprint().equals(fresh.fingerprint()))
        .ifPresent(it -> violations.add("%s is made though there is %s".formatted(fresh, it)));
    revisions.add(fresh);
  }

  private void changed(List<StoredRevision> revisions, JsonNode labels, boolean deleted) {
    var number = labels.path("version").asInt();
    for (var i = revisions.size() - 1; i >= 0; i--) {
      var known = revisions.get(i);
      if (known.version() == number) {
        var now = known.became(labels.path("status").asText(), deleted);
        if (known.wasDeployed() && (deleted || now.status().equals("uninstalling"))) {
          violations.add("what was deployed is taken away: " + now);
        }
        revisions.set(i, now);
        return;
      }
    }
    violations.add("a change of a revision that nobody made: " + labels);
  }

  /** Waits until everything that has happened by now is in it. */
  void catchUp(String namespace) {
    var marker =
        api.post(
                "/api/v1/namespaces/%s/secrets".formatted(namespace),
                "{\"metadata\":{\"generateName\":\"marker-\"}}")
            .orThrow()
            .at("/metadata/uid")
            .asText();
    Fleet.eventually("the journal is complete", () -> assertThat(seen()).contains(marker));
  }

  private synchronized List<String> seen() {
    return List.copyOf(markers);
  }

  /** What no order of events makes right. */
  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  /** All revisions there ever were, in the order of their creation for each release. */
  synchronized List<StoredRevision> revisions() {
    return releases.values().stream().flatMap(List::stream).toList();
  }

  /** On how many releases this operator process has a Helm operation now. */
  synchronized long inFlight(long pid) {
    return releases.values().stream()
        .map(List::getLast)
        .filter(it -> it.isPending() && it.instance().startsWith(pid + "-"))
        .count();
  }

  /** Those that never came to be deployed, by release and by the operator that made them. */
  Map<String, Map<String, Long>> cutShort() {
    return revisions().stream()
        .filter(it -> !it.wasDeployed())
        .collect(
            Collectors.groupingBy(
                StoredRevision::instance,
                TreeMap::new,
                Collectors.groupingBy(StoredRevision::release, Collectors.counting())));
  }

  /** How often each content was deployed by an install or an upgrade, by release. */
  Map<String, Long> deployments() {
    Function<StoredRevision, String> content = it -> it.release() + " " + it.fingerprint();
    return revisions().stream()
        .filter(it -> it.wasDeployed() && !it.isRollback())
        .collect(Collectors.groupingBy(content, TreeMap::new, Collectors.counting()));
  }

  @Override
  public void close() {
    reader.interrupt();
    api.close();
  }
}
