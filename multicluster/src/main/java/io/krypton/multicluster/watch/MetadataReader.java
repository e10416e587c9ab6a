package io.krypton.multicluster.watch;

import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;

/** Asks the server for metadata where a cache, which may lag, is not enough. */
public final class MetadataReader {
  private MetadataReader() {}

  /** All objects of the selection as they are now. */
  public static List<PartialObjectMetadata> list(
      KubernetesClient client, MetadataSelection selection) throws InterruptedException {
    var all = new ArrayList<PartialObjectMetadata>();
    var _ = new MetadataApi(client, selection).list(all::addAll);
    return all;
  }
}
