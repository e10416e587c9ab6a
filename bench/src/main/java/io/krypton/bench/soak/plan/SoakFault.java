// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.plan;

/** A kind of trouble, with what it strikes and how long it lasts. */
public enum SoakFault {
  KILL(Scope.REPLICA, 0, 10, "an operator is killed (SIGKILL), and started again later"),
  TERMINATE(Scope.REPLICA, 0, 5, "an operator is asked to end (SIGTERM), and started again later"),
  FREEZE(Scope.REPLICA, 2, 45, "an operator and its Helm worker stand still (SIGSTOP)"),
  CLOCK_JUMP(Scope.CLOCK, 5, 60, "the wall clock of an operator jumps, and back later"),
  FULL_DISK(Scope.DISK, 10, 60, "the data directory of an operator is full"),
  KILL_WORKER(Scope.WORKER, 0, 0, "the Helm worker of an operator is killed (SIGKILL)"),
  FREEZE_WORKER(
      Scope.REPLICA, 2, 45, "the Helm worker of an operator stands still alone (SIGSTOP)"),
  REFUSE(Scope.LINK, 3, 40, "an API server refuses connections"),
  BLACK_HOLE(Scope.LINK, 3, 40, "an API server takes everything and answers nothing"),
  SLOW(Scope.LINK, 3, 40, "each piece of an answer is late by up to three seconds"),
  CUT(Scope.LINK, 3, 30, "each connection ends within its answer"),
  ERRORS(Scope.LINK, 3, 30, "an API server answers 429, 500 or 503"),
  API_SERVER_RESTART(Scope.SERVER, 0, 15, "an API server is stopped, and started again later"),
  API_SERVER_FREEZE(Scope.SERVER, 3, 30, "an API server stands still (SIGSTOP)"),
  ETCD_RESTART(Scope.SERVER, 0, 5, "etcd is killed below its API server, and started again"),
  EXPIRED_CREDENTIALS(Scope.SECRET, 15, 60, "client certificates end, and are renewed later"),
  LABEL_OFF(Scope.SECRET, 3, 30, "the label of a cluster's Secret is taken off for a while");

  private final Scope scope;
  private final int shortest;
  private final int longest;
  private final String meaning;

  SoakFault(Scope scope, int shortest, int longest, String meaning) {
    this.scope = scope;
    this.shortest = shortest;
    this.longest = longest;
    this.meaning = meaning;
  }

  public Scope scope() {
    return scope;
  }

  /** In seconds. */
  int shortest() {
    return shortest;
  }

  /** In seconds. */
  int longest() {
    return longest;
  }

  /** What happens, for a reader of the result page. */
  public String meaning() {
    return meaning;
  }

  /** What a fault strikes; faults of the same scope and target never overlap. */
  public enum Scope {
    REPLICA,
    CLOCK,
    DISK,
    WORKER,
    /** The way of one replica, or of both, to one cluster. */
    LINK,
    SERVER,
    /** The kubeconfig Secret of an edge. */
    SECRET
  }
}
