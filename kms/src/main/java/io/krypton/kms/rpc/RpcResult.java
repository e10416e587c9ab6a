package io.krypton.kms.rpc;

import java.util.function.Function;

/** What came of one call: a message or the reason for having none. */
public sealed interface RpcResult<T> {

  record Success<T>(T content) implements RpcResult<T> {}

  record Failure<T>(CallFailure why) implements RpcResult<T> {}

  default <U> RpcResult<U> map(Function<T, U> change) {
    return switch (this) {
      case Success<T>(T content) -> new Success<>(change.apply(content));
      case Failure<T>(CallFailure why) -> new Failure<>(why);
    };
  }
}
