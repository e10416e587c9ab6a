package io.krypton.agent.publish;

/** Whether the credentials on disk are usable; if not, they may be later. */
public sealed interface AccessState {
  /** All files were there and made sense. */
  record Ready(ApiAccess access) implements AccessState {}

  /** Something is missing or wrong; the reason names the file and the remedy, never its content. */
  record NotYet(String reason) implements AccessState {}
}
