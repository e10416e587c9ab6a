package io.krypton.sandbox;

import io.krypton.sandbox.access.Kubeconfig;
import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.pki.Identity;
import java.net.URI;
import java.util.List;

/** Makes kubeconfigs for users of one control plane. */
record AccessIssuer(String cluster, URI server, CertificateAuthority authority) {
  private static final String MASTERS = "system:masters";

  Kubeconfig admin() {
    return access("admin", MASTERS);
  }

  Kubeconfig access(String user, String... groups) {
    return kubeconfig(user, authority.user(user, List.of(groups)));
  }

  /** A part of the sandbox itself; it may do everything. */
  Kubeconfig component(String user) {
    return kubeconfig(user, authority.component(user, List.of(MASTERS)));
  }

  private Kubeconfig kubeconfig(String user, Identity identity) {
    return new Kubeconfig(cluster, server, authority.certificate(), user, identity);
  }
}
