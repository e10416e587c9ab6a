// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.tenant;

import static io.krypton.api.rollout.NamespaceRules.NAME_IS_FREE;
import static io.krypton.api.rollout.NamespaceRules.NAME_IS_LABEL;
import static io.krypton.api.rollout.NamespaceRules.RESERVED;
import static io.krypton.api.rollout.NamespaceRules.WHEN_NEW;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.krypton.api.KryptonApi;
import io.krypton.api.rollout.ClassRules;

/**
 * A Tenant lives on the cluster it targets. Rules that look at the name are for new objects only
 * ({@code oldSelf.hasValue() ||}), so that objects stored before the rules can still be updated and
 * deleted.
 *
 * <p>{@code tenant} must not become a short name: it collides with the singular, and then the API
 * server accepts neither short names nor the category.
 */
@Group(KryptonApi.GROUP)
@Version(KryptonApi.VERSION)
@Plural("tenants")
@Singular("tenant")
@ShortNames("tn")
@Categories(KryptonApi.CATEGORY)
@JsonClassDescription(
    "A Tenant asks for one namespace with the operator's chart on the cluster that holds it.")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Workspace", jsonPath = ".status.workspace")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(name = "Chart", jsonPath = ".status.lastAppliedChart", priority = 1)
@AdditionalPrinterColumn(name = "Message", jsonPath = ".status.lastMessage", priority = 1)
@ValidationRule(
    optionalOldSelf = true,
    message =
        "without spec.workspace the name is the namespace and must be a DNS label of at most 63"
            + " characters",
    value = WHEN_NEW + Tenant.HAS_WORKSPACE + " || " + NAME_IS_LABEL)
@ValidationRule(
    optionalOldSelf = true,
    message = RESERVED,
    value = WHEN_NEW + Tenant.HAS_WORKSPACE + " || " + NAME_IS_FREE)
@ValidationRule(
    message = "spec.workspace is immutable",
    value =
        "(has(self.spec) && has(self.spec.workspace) ? self.spec.workspace : '') =="
            + " (has(oldSelf.spec) && has(oldSelf.spec.workspace) ? oldSelf.spec.workspace : '')")
@ValidationRule(
    message = ClassRules.CLASS_IS_IMMUTABLE_MESSAGE,
    value = ClassRules.CLASS_IS_IMMUTABLE)
public final class Tenant extends CustomResource<TenantSpec, TenantStatus> implements Namespaced {
  static final String HAS_WORKSPACE =
      "(has(self.spec) && has(self.spec.workspace) && self.spec.workspace != '')";

  @Override
  protected TenantSpec initSpec() {
    return TenantSpec.EMPTY;
  }

  @Override
  protected TenantStatus initStatus() {
    return TenantStatus.EMPTY;
  }
}
