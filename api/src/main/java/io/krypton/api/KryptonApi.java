// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What all custom resources of Krypton have in common. */
public final class KryptonApi {
  public static final String GROUP = "mesh.openkcm.io";
  public static final String VERSION = "v1alpha1";

  /** {@code kubectl get krypton} lists Tenants and KryptonDeployments. */
  public static final String CATEGORY = "krypton";

  private KryptonApi() {}

  /** What keeps a deleted object until its release is gone. */
  public static final class Finalizers {
    public static final String TENANT = KryptonApi.GROUP + "/cleanup";
    public static final String KRYPTON_DEPLOYMENT =
        KryptonApi.GROUP + "/kryptondeployment-finalizer";
    public static final String TENANT_CLASS = KryptonApi.GROUP + "/tenantclass-in-use";

    private Finalizers() {}
  }

  /** A custom resource that makes no sense without its spec. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  public @interface SpecRequired {}
}
