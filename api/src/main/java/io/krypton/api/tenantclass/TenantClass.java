// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.tenantclass;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.krypton.api.KryptonApi;
import io.krypton.api.KryptonApi.SpecRequired;
import io.krypton.api.rollout.ClassRules;

/**
 * A TenantClass lives on the home cluster, in the operator's namespace.
 *
 * <p>What its user sees: after each change a ChartRollout, {@code status.target} and the condition
 * Ready; when that rollout is complete, {@code status.stable} is the former target.
 */
@Group(KryptonApi.GROUP)
@Version(KryptonApi.VERSION)
@Plural("tenantclasses")
@Singular("tenantclass")
@ShortNames("tc")
@SpecRequired
@JsonClassDescription(
    "A TenantClass says which chart and which central values Tenants and KryptonDeployments of this"
        + " class get, and in which waves a change of these is rolled out.")
@AdditionalPrinterColumn(name = "Chart", jsonPath = ".spec.chart.name")
@AdditionalPrinterColumn(name = "Stable", jsonPath = ".status.stable.version")
@AdditionalPrinterColumn(name = "Target", jsonPath = ".status.target.version")
@AdditionalPrinterColumn(name = "Rollout", jsonPath = ".status.activeRollout")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(name = "Targets", jsonPath = ".status.counts.targets", priority = 1)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
    priority = 1)
@ValidationRule(message = ClassRules.NAME_IS_CLASS_MESSAGE, value = ClassRules.NAME_IS_CLASS)
public final class TenantClass extends CustomResource<TenantClassSpec, TenantClassStatus>
    implements Namespaced {
  @Override
  protected TenantClassSpec initSpec() {
    return TenantClassSpec.EMPTY;
  }

  @Override
  protected TenantClassStatus initStatus() {
    return TenantClassStatus.EMPTY;
  }
}
