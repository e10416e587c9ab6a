// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A custom resource with every kind of status field that a writer has to cope with. */
@Group("test.example.com")
@Version("v1")
public class Widget extends CustomResource<Widget.Spec, Widget.Status> implements Namespaced {
  private static final long serialVersionUID = 1;

  static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: widgets.test.example.com
      spec:
        group: test.example.com
        names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
        scope: Namespaced
        versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, properties: {size: {type: integer}}}
                  status:
                    type: object
                    properties:
                      phase: {type: string, enum: [Pending, Ready]}
                      targets: {type: array, items: {type: string}}
                      conditions:
                        type: array
                        x-kubernetes-list-type: map
                        x-kubernetes-list-map-keys: [type]
                        items:
                          type: object
                          required: [type, status]
                          properties:
                            type: {type: string}
                            status: {type: string}
                            reason: {type: string}
                            message: {type: string}
                            lastTransitionTime: {type: string}
      """;

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Spec(@Nullable Integer size) {}

  /** The served schema does not know {@code novelty}. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Status(
      @Nullable String phase,
      @Nullable List<String> targets,
      @Nullable List<Condition> conditions,
      @Nullable String novelty) {}
}
