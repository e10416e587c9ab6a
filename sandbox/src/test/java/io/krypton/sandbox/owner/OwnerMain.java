// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.owner;

import io.krypton.sandbox.ControlPlane;
import java.io.IOException;

/** Starts a control plane, freezes its etcd, tells both process numbers and waits to be killed. */
public final class OwnerMain {
  private OwnerMain() {}

  public static void main(String[] args) throws IOException {
    var plane = ControlPlane.builder("orphan").withoutControllerManager().start();
    plane.etcd().freeze();
    System.out.printf("%d %d %s%n", plane.etcd().pid(), plane.apiServer().pid(), plane.directory());
    System.in.read();
  }
}
