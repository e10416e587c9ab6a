// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.krypton.api.TlsProfileNames;
import io.krypton.operator.platform.Platform;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A Deployment as far as the profile concerns it. */
record ConsumerDeployment(Deployment live) {
  private static final String COMPONENT = "app.kubernetes.io/component";
  private static final List<String> CONTAINERS =
      List.of("f:spec", "f:template", "f:spec", "f:containers");
  private static final Pattern NAME_KEY = Pattern.compile("k:\\{\"name\":\"([^\"]*)\"}");

  String name() {
    return live.getMetadata().getName();
  }

  boolean isOptedIn() {
    return TlsProfileNames.CONSUME.equals(labels().get(TlsProfileNames.OPT_IN_LABEL));
  }

  /** Our own Deployment: rolling it ends this process, so it comes last. */
  boolean isOperator() {
    return "operator".equals(labels().get(COMPONENT));
  }

  boolean usesRecreateStrategy() {
    var strategy = live.getSpec().getStrategy();
    return strategy != null && "Recreate".equals(strategy.getType());
  }

  /** The container that gets the profile; empty if the one that is asked for does not exist. */
  Optional<Container> container() {
    var containers = live.getSpec().getTemplate().getSpec().getContainers();
    var wanted =
        Objects.requireNonNullElse(live.getMetadata().getAnnotations(), Map.<String, String>of())
            .get(TlsProfileNames.CONTAINER_ANNOTATION);
    return wanted == null
        ? containers.stream().findFirst()
        : containers.stream().filter(container -> wanted.equals(container.getName())).findFirst();
  }

  boolean isForOpenShift() {
    return live.getSpec().getTemplate().getSpec().getContainers().stream()
        .flatMap(container -> container.getEnv().stream())
        .anyMatch(
            variable ->
                (TlsProfileNames.PLATFORM_VARIABLE.equals(variable.getName())
                        && Platform.OPENSHIFT.value().equals(variable.getValue()))
                    || (TlsProfileNames.IS_OPENSHIFT.equals(variable.getName())
                        && "true".equals(variable.getValue())));
  }

  /** Whether we ever wrote to it and have not given it back. */
  boolean hasManagedFields() {
    return live.getMetadata().getManagedFields().stream()
        .anyMatch(entry -> TlsProfileNames.FIELD_MANAGER.equals(entry.getManager()));
  }

  /** The containers in which we own something. */
  Set<String> managedContainers() {
    var names = new HashSet<String>();
    for (var entry : live.getMetadata().getManagedFields()) {
      if (TlsProfileNames.FIELD_MANAGER.equals(entry.getManager()) && entry.getFieldsV1() != null) {
        Object fields = entry.getFieldsV1().getAdditionalProperties();
        for (var step : CONTAINERS) {
          fields = fields instanceof Map<?, ?> map ? map.get(step) : null;
        }
        if (fields instanceof Map<?, ?> containers) {
          containers.keySet().forEach(key -> nameIn(String.valueOf(key)).ifPresent(names::add));
        }
      }
    }
    return names;
  }

  private static Optional<String> nameIn(String key) {
    var match = NAME_KEY.matcher(key);
    return match.matches() ? Optional.of(match.group(1)) : Optional.empty();
  }

  private Map<String, String> labels() {
    return Objects.requireNonNullElse(live.getMetadata().getLabels(), Map.of());
  }
}
