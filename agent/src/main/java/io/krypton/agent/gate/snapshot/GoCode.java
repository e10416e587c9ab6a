package io.krypton.agent.gate.snapshot;

import io.krypton.kms.protocol.RpcCode;
import io.krypton.kms.verdict.Redaction;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Status codes and errors of gRPC as Go spells them. */
public final class GoCode {
  private GoCode() {}

  /** An error of a call, with a text that is fit to be shown. */
  public static String error(RpcCode code, String text) {
    return "rpc error: code = %s desc = %s".formatted(word(code), Redaction.clean(text));
  }

  static String word(RpcCode code) {
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
