// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kmshealth;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.krypton.api.KryptonApi;

/** The one object of a cluster that shows the health of its KMS plugins. */
@Group(KryptonApi.GROUP)
@Version(KryptonApi.VERSION)
@Plural("kmshealths")
@Singular("kmshealth")
@ShortNames("kmsh")
@JsonClassDescription(
    "KmsHealth shows the health of the KMS plugins that encrypt the data of this cluster. There is"
        + " one object, named cluster.")
@AdditionalPrinterColumn(
    name = "Degraded",
    jsonPath = ".status.conditions[?(@.type==\"Degraded\")].status")
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type==\"KMSPluginsDegraded\")].reason")
@AdditionalPrinterColumn(
    name = "Since",
    jsonPath = ".status.conditions[?(@.type==\"KMSPluginsDegraded\")].lastTransitionTime",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(name = "Nodes", jsonPath = ".status.nodesHealthy")
@AdditionalPrinterColumn(name = "Key", jsonPath = ".status.writeKeyID")
@AdditionalPrinterColumn(name = "Converged", jsonPath = ".status.convergence.summary")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.type==\"KMSPluginsDegraded\")].message",
    priority = 1)
@ValidationRule(value = "self.metadata.name == 'cluster'", message = "the name must be cluster")
public final class KmsHealth extends CustomResource<KmsHealthSpec, KmsHealthStatus> {
  /** The only name the API server accepts. */
  public static final String NAME = "cluster";

  @Override
  protected KmsHealthSpec initSpec() {
    return KmsHealthSpec.DEFAULT;
  }

  @Override
  protected KmsHealthStatus initStatus() {
    return KmsHealthStatus.EMPTY;
  }
}
