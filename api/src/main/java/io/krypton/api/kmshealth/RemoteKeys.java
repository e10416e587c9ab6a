package io.krypton.api.kmshealth;

/** How remote keys are named where their ids are not shown. */
final class RemoteKeys {
  static final String HASH_PATTERN = "^sha256:[0-9a-f]{64}$";

  private RemoteKeys() {}
}
