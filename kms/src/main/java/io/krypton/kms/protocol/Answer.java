package io.krypton.kms.protocol;

import java.util.function.Function;

/** What came of one call: a message or the reason for having none. */
public sealed interface Answer<T> {

  record Message<T>(T content) implements Answer<T> {}

  record Failure<T>(CallFailure why) implements Answer<T> {}

  default <U> Answer<U> map(Function<T, U> change) {
    return switch (this) {
      case Message<T>(T content) -> new Message<>(change.apply(content));
      case Failure<T>(CallFailure why) -> new Failure<>(why);
    };
  }
}
