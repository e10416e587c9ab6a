// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.explain;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.cli.view.AccessOptions;
import io.krypton.cli.view.ApiErrors;
import io.krypton.cli.view.ObjectName;
import io.krypton.cli.view.ObjectTree;
import io.krypton.cli.view.OutputOptions.Documents;
import io.krypton.cli.view.RolloutObject;
import io.krypton.cli.view.RolloutObjectReader;
import io.krypton.cli.view.Session;
import io.krypton.cli.view.Terminal;
import io.krypton.multicluster.cache.MetadataSelection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code krypton explain}. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Tells of a Tenant or KryptonDeployment what happened, why, and what next.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:told",
      "1:the object is not there or cannot be read",
      "2:bad usage or kubeconfig"
    })
public final class ExplainObjectCommand implements Callable<Integer> {
  @Mixin private final AccessOptions access = new AccessOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}.")
  private Format format = Format.text;

  @Parameters(
      arity = "0..*",
      paramLabel = "TYPE/NAME",
      description = "tenant/NAME or kryptondeployment/NAME; also tn NAME, kd NAME.")
  private List<String> objects = new ArrayList<>();

  @Spec private CommandSpec spec;

  /** Lower case as users write it. */
  enum Format {
    text,
    json,
    yaml
  }

  @Override
  public Integer call() throws InterruptedException {
    var names = ObjectName.parse(objects);
    return access.use(
        session -> {
          names.forEach(name -> explain(session, name));
          return 0;
        });
  }

  private void explain(Session session, ObjectName name) {
    var object = RolloutObjectReader.get(session, name);
    var explanation =
        Explanation.of(
            object,
            events(session, object),
            conflict ->
                RolloutObjectReader.owner(session, conflict.release(), conflict.namespace()),
            Instant.now());
    var out = spec.commandLine().getOut();
    switch (format) {
      case text -> ExplanationText.lines(explanation, Terminal.hasColours()).forEach(out::println);
      case json -> out.println(Documents.json(explanation));
      case yaml -> out.println(Documents.yaml(explanation));
    }
    out.flush();
  }

  private List<Event> events(Session session, RolloutObject object) {
    try {
      var selection =
          new MetadataSelection("", "v1", "events", session.namespace(), "")
              .withFields("involvedObject.uid=" + object.metadata().getUid());
      return session.api().list(selection.path()).stream().map(ObjectTree::event).toList();
    } catch (KubernetesClientException refused) {
      if (!ApiErrors.isForbidden(refused)) {
        throw refused;
      }
      spec.commandLine()
          .getErr()
          .println(
              "you may not list Events in namespace %s, so what happened is missing"
                  .formatted(session.namespace()));
      return List.of();
    }
  }
}
