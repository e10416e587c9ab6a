package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.snapshot.Judgement;

/**
 * All that an answer depends on, read once at the start of a request.
 *
 * @param logFault what is wrong with the log; empty if nothing is
 * @param proberFault what is wrong with the prober; empty if nothing is
 */
public record GateView(
    Judgement judgement, String logFault, String proberFault, boolean shuttingDown) {}
