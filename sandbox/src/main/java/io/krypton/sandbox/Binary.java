package io.krypton.sandbox;

/** A program that the sandbox runs, and the release it belongs to. */
public enum Binary {
  ETCD("etcd", "etcd"),
  KUBE_APISERVER("kube-apiserver", "kubernetes"),
  KUBE_CONTROLLER_MANAGER("kube-controller-manager", "kubernetes"),
  KUBECTL("kubectl", "kubernetes"),
  HELM("helm", "helm");

  private final String fileName;
  private final String component;

  Binary(String fileName, String component) {
    this.fileName = fileName;
    this.component = component;
  }

  public String fileName() {
    return fileName;
  }

  /** The key of its version in {@code versions.properties}. */
  String component() {
    return component;
  }
}
