// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rolloutapproval;

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
 * Whoever may create one may approve; who it was is in the audit log.
 *
 * <p>What its user sees: the condition Accepted, and the rollout goes on once the wave has soaked.
 */
@Group(KryptonApi.GROUP)
@Version(KryptonApi.VERSION)
@Plural("rolloutapprovals")
@Singular("rolloutapproval")
@ShortNames("roa")
@SpecRequired
@JsonClassDescription(
    "A RolloutApproval lets a ChartRollout of its namespace go on after one wave. Whoever may create"
        + " it may approve.")
@AdditionalPrinterColumn(name = "Rollout", jsonPath = ".spec.rollout")
@AdditionalPrinterColumn(name = "Wave", jsonPath = ".spec.wave")
@AdditionalPrinterColumn(
    name = "Accepted",
    jsonPath = ".status.conditions[?(@.type==\"Accepted\")].status")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.type==\"Accepted\")].message",
    priority = 1)
public final class RolloutApproval
    extends CustomResource<RolloutApprovalSpec, RolloutApprovalStatus> implements Namespaced {
  @Override
  protected RolloutApprovalSpec initSpec() {
    return RolloutApprovalSpec.EMPTY;
  }

  @Override
  protected RolloutApprovalStatus initStatus() {
    return RolloutApprovalStatus.EMPTY;
  }
}
