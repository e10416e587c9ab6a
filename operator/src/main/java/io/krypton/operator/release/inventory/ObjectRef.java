// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

/** One object of a manifest; the namespace of a cluster-scoped object is empty. */
record ObjectRef(Kind kind, String namespace, String name) {

  /** A kind in one version of its API. */
  record Kind(String apiVersion, String name) {
    String group() {
      var slash = apiVersion.indexOf('/');
      return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    String version() {
      return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }
  }

  boolean isJob() {
    return kind.name().equals("Job") && kind.group().equals("batch");
  }

  /** As messages name it. */
  String displayName() {
    return namespace.isEmpty()
        ? kind.name() + "/" + name
        : kind.name() + "/" + namespace + "/" + name;
  }
}
