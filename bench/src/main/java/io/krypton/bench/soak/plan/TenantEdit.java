// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.plan;

import java.util.Arrays;

/** What people do to Tenants, and by hand to the objects of their releases. */
public enum TenantEdit {
  CREATE(8, "a new Tenant"),
  DELETE(7, "a Tenant is deleted"),
  RECREATE(4, "a Tenant is deleted and created again at once"),
  VALUES(30, "other values"),
  REQUEST(6, "a reconcile is requested"),
  SUSPEND(4, "a Tenant is suspended, and resumed later"),
  CONFIG_EDITED(7, "the ConfigMap of a release is edited"),
  CONFIG_DELETED(7, "the ConfigMap of a release is deleted"),
  SERVICE_DELETED(5, "the Service of a release is deleted"),
  PORT_EDITED(5, "the port of a release's Service is edited"),
  DEPLOYMENT_SCALED(5, "the Deployment of a release is scaled"),
  HISTORY_DELETED(2, "the Secrets that Helm keeps of a release are deleted");

  private final int weight;
  private final String meaning;

  TenantEdit(int weight, String meaning) {
    this.weight = weight;
    this.meaning = meaning;
  }

  /** What happens, for a reader of the result page. */
  public String meaning() {
    return meaning;
  }

  /** One that is as likely as its weight says; the number is any that is not negative. */
  static TenantEdit drawn(int number) {
    var left = number % Arrays.stream(values()).mapToInt(edit -> edit.weight).sum();
    for (var edit : values()) {
      left -= edit.weight;
      if (left < 0) {
        return edit;
      }
    }
    throw new IllegalStateException("weights add up to less than their sum");
  }
}
