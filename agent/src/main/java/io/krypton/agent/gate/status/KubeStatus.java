// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.status;

import io.krypton.base.text.Redactor;
import io.krypton.kms.rpc.RpcCode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What kube-apiserver finds wrong with a Status response, as it says it.
 *
 * @param callError how the call failed; empty if it did not
 * @param faults what is wrong with the answer, in kube-apiserver's order
 */
public record KubeStatus(String callError, List<String> faults) {
  public static final KubeStatus OK = new KubeStatus("", List.of());

  public KubeStatus {
    faults = List.copyOf(faults);
  }

  /** Status codes and errors of gRPC as Go spells them. */
  public static final class GoRpcError {
    private GoRpcError() {}

    /** An error of a call, with a text that is fit to be shown. */
    public static String format(RpcCode code, String text) {
      return "rpc error: code = %s desc = %s"
          .formatted(codeName(code), Redactor.byShape().summarize(text));
    }

    static String codeName(RpcCode code) {
      return switch (code) {
        case OK -> "OK";
        case CANCELLED -> "Canceled";
        default ->
            Arrays.stream(code.name().split("_", -1))
                .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
      };
    }
  }
}
