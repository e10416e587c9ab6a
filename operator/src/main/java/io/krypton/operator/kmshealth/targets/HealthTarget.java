// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.targets;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.HealthReport;
import io.krypton.operator.kmshealth.aggregate.AggregationResult;
import io.krypton.operator.kmshealth.aggregate.Observation;
import io.krypton.operator.kmshealth.aggregate.Observation.PublishedStatus;
import io.krypton.operator.kmshealth.input.ExpectedNodesResolver.NodeSelection;
import java.time.Duration;
import java.util.List;

/** A kind of object that reporters write to; there is one object of it, named {@code cluster}. */
public interface HealthTarget<T extends HasMetadata> {
  String NAME = "cluster";

  /** As reporters write it on the command line, in labels and in names of Leases. */
  String targetName();

  Class<T> type();

  TargetState stateOf(T object);

  /** An empty object, for server-side apply of our own fields. */
  T applyConfiguration(AggregationResult aggregationResult, T live);

  /** An object that holds nothing. */
  T blank();

  /** Makes the object if that is ours to do. */
  void createIfOwned(KubernetesClient client);

  /** What is read from an object that reporters write to, whatever its kind. */
  record TargetState(
      List<Condition> conditions,
      List<HealthReport> reports,
      PublishedStatus published,
      Observation.TargetSpec spec,
      NodeSelection nodeSelection,
      Duration degradedInertia) {}
}
