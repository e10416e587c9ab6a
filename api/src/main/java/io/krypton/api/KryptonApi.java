package io.krypton.api;

/** What all custom resources of Krypton have in common. */
public final class KryptonApi {
  public static final String GROUP = "mesh.openkcm.io";
  public static final String VERSION = "v1alpha1";

  /** {@code kubectl get krypton} lists Tenants and KryptonDeployments. */
  public static final String CATEGORY = "krypton";

  private KryptonApi() {}
}
