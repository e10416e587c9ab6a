// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.chartrollout;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.krypton.api.KryptonApi;
import io.krypton.api.KryptonApi.SpecRequired;

/**
 * A ChartRollout lives beside its TenantClass, which owns it; the operator makes it.
 *
 * <p>What its user sees: on success the phase Completed and the condition Complete, on failure the
 * phase Halted or RolledBack, the condition Degraded, and the failures by name.
 */
@Group(KryptonApi.GROUP)
@Version(KryptonApi.VERSION)
@Plural("chartrollouts")
@Singular("chartrollout")
@ShortNames("cro")
@SpecRequired
@JsonClassDescription(
    "A ChartRollout is one change of a TenantClass on its way through the waves. The operator makes"
        + " it; people only set spec.run.")
@AdditionalPrinterColumn(name = "Class", jsonPath = ".spec.className")
@AdditionalPrinterColumn(name = "From", jsonPath = ".spec.from.version")
@AdditionalPrinterColumn(name = "To", jsonPath = ".spec.to.version")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Wave", jsonPath = ".status.wave")
@AdditionalPrinterColumn(name = "Updated", jsonPath = ".status.updated")
@AdditionalPrinterColumn(name = "Failed", jsonPath = ".status.failed")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(name = "Run", jsonPath = ".spec.run", priority = 1)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.type==\"Progressing\")].message",
    priority = 1)
public final class ChartRollout extends CustomResource<ChartRolloutSpec, ChartRolloutStatus>
    implements Namespaced {
  @Override
  protected ChartRolloutSpec initSpec() {
    return ChartRolloutSpec.EMPTY;
  }

  @Override
  protected ChartRolloutStatus initStatus() {
    return ChartRolloutStatus.EMPTY;
  }
}
