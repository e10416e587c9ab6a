package io.krypton.agent.gate.probing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.agent.gate.snapshot.GoCode;
import io.krypton.agent.gate.snapshot.KubeStatus;
import io.krypton.kms.probe.FirstVersion;
import io.krypton.kms.probe.StatusSignal;
import io.krypton.kms.protocol.Answer;
import io.krypton.kms.protocol.CallFailure;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.protocol.PluginConnection;
import io.krypton.kms.protocol.PluginStatus;
import io.krypton.kms.protocol.RpcCode;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.KeyIdHash;
import io.krypton.kms.verdict.Redaction;
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

  private final KmsApi api;
  private final FirstVersion firstVersion = new FirstVersion();
  private volatile KubeStatus last = KubeStatus.GOOD;

  KubeStatusSignal(KmsApi api) {
    this.api = api;
  }

  KubeStatus last() {
    return last;
  }

  @Override
  public Optional<Finding> objection(Answer<PluginStatus> status, PluginConnection connection) {
    last =
        switch (status) {
          case Answer.Failure<PluginStatus>(CallFailure why) ->
              new KubeStatus(error(why), List.of());
          case Answer.Message<PluginStatus>(PluginStatus answer) ->
              api == KmsApi.V1 ? KubeStatus.GOOD : new KubeStatus("", faults(answer));
        };
    return Optional.empty();
  }

  private static String error(CallFailure why) {
    return switch (why) {
      case CallFailure.NoConnection none -> GoCode.error(RpcCode.UNAVAILABLE, none.text());
      case CallFailure.NotGrpc other -> GoCode.error(RpcCode.UNAVAILABLE, other.text());
      case CallFailure.NoMessage() -> GoCode.error(RpcCode.INTERNAL, "no message");
      case CallFailure.Rpc rpc -> GoCode.error(rpc.code(), rpc.text());
    };
  }

  private List<String> faults(PluginStatus status) {
    var faults = new ArrayList<String>();
    if (!status.healthz().equals("ok")) {
      faults.add("got unexpected healthz status: " + Redaction.clean(status.healthz()));
    }
    version(Redaction.clean(status.version()), faults);
    var size = status.keyId().getBytes(UTF_8).length;
    var invalid = "got invalid KMSv2 KeyID hash \"%s\": ".formatted(KeyIdHash.of(status.keyId()));
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
      var first = firstVersion.expected(version);
      if (!first.equals(version)) {
        faults.add(
            "KMSv2 API version should not change after the initial status response version %s, got %s"
                .formatted(first, version));
      }
    }
  }
}
