// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kryptondeployment;

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
import io.krypton.api.KryptonApi.SpecRequired;
import io.krypton.api.rollout.ClassRules;

/**
 * A KryptonDeployment lives on the home cluster. The rules on its name are for new objects only
 * ({@code oldSelf.hasValue() ||}), so that objects stored before the rules can still be updated and
 * deleted.
 */
@Group(KryptonApi.GROUP)
@Version(KryptonApi.VERSION)
@Plural("kryptondeployments")
@Singular("kryptondeployment")
@ShortNames("kd")
@Categories(KryptonApi.CATEGORY)
@SpecRequired
@JsonClassDescription(
    "A KryptonDeployment asks for the operator's chart in a namespace of the same name on the"
        + " cluster of its region.")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Account", jsonPath = ".spec.account.name")
@AdditionalPrinterColumn(name = "Region", jsonPath = ".spec.region.name")
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
    message = "the name is the namespace and must be a DNS label of at most 63 characters",
    value = WHEN_NEW + NAME_IS_LABEL)
@ValidationRule(optionalOldSelf = true, message = RESERVED, value = WHEN_NEW + NAME_IS_FREE)
@ValidationRule(
    message = ClassRules.CLASS_IS_IMMUTABLE_MESSAGE,
    value = ClassRules.CLASS_IS_IMMUTABLE)
public final class KryptonDeployment
    extends CustomResource<KryptonDeploymentSpec, KryptonDeploymentStatus> implements Namespaced {
  @Override
  protected KryptonDeploymentSpec initSpec() {
    return KryptonDeploymentSpec.EMPTY;
  }

  @Override
  protected KryptonDeploymentStatus initStatus() {
    return KryptonDeploymentStatus.EMPTY;
  }
}
