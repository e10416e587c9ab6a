package io.krypton.multicluster.cluster.discovery;

/**
 * Which Secrets stand for clusters.
 *
 * @param namespace where labelled Secrets are looked for
 * @param label a Secret with this label and the value {@code true} is wanted
 * @param key the data key that holds the kubeconfig
 */
public record DiscoverySettings(String namespace, String label, String key) {
  public static final String LABEL_VALUE = "true";
}
