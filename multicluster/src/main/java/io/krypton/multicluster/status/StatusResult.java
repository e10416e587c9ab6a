package io.krypton.multicluster.status;

/** How a status write ended. Failures of the transport are exceptions instead. */
public sealed interface StatusResult<T> {
  /** Stored; {@code live} is the object as it is now. */
  record Written<T>(T live) implements StatusResult<T> {}

  /** The object says all of it already; nothing was sent. */
  record Unchanged<T>(T live) implements StatusResult<T> {}

  /** Others changed the object faster than we could write; nothing of ours was stored. */
  record Conflict<T>(int tries) implements StatusResult<T> {}

  /** The object, or this incarnation of it, no longer exists. */
  record Gone<T>() implements StatusResult<T> {}

  /** The server will not have it, e.g. 403 or 422; the same again will not help. */
  record Refused<T>(int code, String message) implements StatusResult<T> {}
}
