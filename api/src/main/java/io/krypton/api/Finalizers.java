package io.krypton.api;

/** What keeps a deleted object until its release is gone. */
public final class Finalizers {
  public static final String TENANT = KryptonApi.GROUP + "/cleanup";
  public static final String KRYPTON_DEPLOYMENT = KryptonApi.GROUP + "/kryptondeployment-finalizer";

  private Finalizers() {}
}
