package io.krypton.agent.gate.probing;

/** In which of its moments an API server meets a plugin; each asks something else of a reader. */
enum Moment {
  /** It starts with the file. */
  START,
  /** It runs and takes up a changed file by itself, for which every provider must encrypt. */
  RELOAD,
  /** It runs with the file. */
  RUNNING
}
