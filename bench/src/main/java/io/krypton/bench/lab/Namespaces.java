package io.krypton.bench.lab;

import io.krypton.sandbox.ControlPlane;

/** Namespaces that are made without an operator. */
public final class Namespaces {
  private Namespaces() {}

  public static void create(ControlPlane plane, String name) {
    plane
        .admin()
        .post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name))
        .orThrow();
  }
}
