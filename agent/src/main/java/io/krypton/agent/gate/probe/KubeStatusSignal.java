// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.agent.gate.status.KubeStatus;
import io.krypton.agent.gate.status.KubeStatus.GoRpcError;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.text.Redactor;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.probe.PinnedVersion;
import io.krypton.kms.probe.StatusSignal;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.PluginConnection;
import io.krypton.kms.rpc.RpcCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Never objects; it keeps what kube-apiserver would say to the answer. The verdict stops at the
 * first fault, kube-apiserver lists them all.
 */
final class KubeStatusSignal implements StatusSignal {
  private static final int MAX_KEY_ID = 1024;
  private static final Set<String> VERSIONS = Set.of("v2", "v2beta1");

  private final KmsApiVersion api;
  private final PinnedVersion pinnedVersion = new PinnedVersion();
  private volatile KubeStatus last = KubeStatus.OK;

  KubeStatusSignal(KmsApiVersion api) {
    this.api = api;
  }

  KubeStatus last() {
    return last;
  }

  @Override
  public Optional<ProbeFinding> check(RpcResult<PluginStatus> status, PluginConnection connection) {
    last =
        switch (status) {
          case RpcResult.Failure<PluginStatus>(CallFailure why) ->
              new KubeStatus(error(why), List.of());
          case RpcResult.Success<PluginStatus>(PluginStatus answer) ->
              api == KmsApiVersion.V1 ? KubeStatus.OK : new KubeStatus("", faults(answer));
        };
    return Optional.empty();
  }

  private static String error(CallFailure why) {
    return switch (why) {
      case CallFailure.NoConnection none -> GoRpcError.format(RpcCode.UNAVAILABLE, none.text());
      case CallFailure.NotGrpc other -> GoRpcError.format(RpcCode.UNAVAILABLE, other.text());
      case CallFailure.NoMessage() -> GoRpcError.format(RpcCode.INTERNAL, "no message");
      case CallFailure.Rpc rpc -> GoRpcError.format(rpc.code(), rpc.text());
    };
  }

  private List<String> faults(PluginStatus status) {
    var faults = new ArrayList<String>();
    if (!status.healthz().equals("ok")) {
      faults.add(
          "got unexpected healthz status: " + Redactor.byShape().summarize(status.healthz()));
    }
    version(Redactor.byShape().summarize(status.version()), faults);
    var size = status.keyId().getBytes(UTF_8).length;
    var invalid = "got invalid KMSv2 KeyID hash \"%s\": ".formatted(KeyHash.label(status.keyId()));
    if (size == 0) {
      faults.add(invalid + "keyID is empty");
    } else if (size > MAX_KEY_ID) {
      faults.add(
          invalid
              + "keyID is %d bytes, which exceeds the max size of %d".formatted(size, MAX_KEY_ID));
    }
    return faults;
  }

  private void version(String version, List<String> faults) {
    if (!VERSIONS.contains(version)) {
      faults.add("expected KMSv2 API version v2, got " + version);
    } else {
      var first = pinnedVersion.expected(version);
      if (!first.equals(version)) {
        faults.add(
            "KMSv2 API version should not change after the initial status response version %s, got %s"
                .formatted(first, version));
      }
    }
  }
}
