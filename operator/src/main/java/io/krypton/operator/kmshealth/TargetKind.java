package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.operator.kmshealth.verdict.Conclusion;

/** A kind of object that reporters write to; there is one object of it, named {@code cluster}. */
interface TargetKind<T extends HasMetadata> {
  String NAME = "cluster";

  /** As reporters write it on the command line, in labels and in names of Leases. */
  String word();

  Class<T> type();

  TargetState stateOf(T object);

  /** An object that holds nothing but what the aggregator says. */
  T statement(Conclusion conclusion, T live);

  /** An object that holds nothing. */
  T blank();

  /** Makes the object if that is ours to do. */
  void createIfOurs(KubernetesClient client);
}
