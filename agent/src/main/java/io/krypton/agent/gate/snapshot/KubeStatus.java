package io.krypton.agent.gate.snapshot;

import java.util.List;

/**
 * What kube-apiserver finds wrong with an answer of Status, in its words.
 *
 * @param call how the call failed; empty if it did not
 * @param faults what is wrong with the answer, in kube-apiserver's order
 */
public record KubeStatus(String call, List<String> faults) {
  public static final KubeStatus GOOD = new KubeStatus("", List.of());

  public KubeStatus {
    faults = List.copyOf(faults);
  }
}
