package io.krypton.agent.reporter;

import io.krypton.agent.report.NodeReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The newest state of the node, to be published.
 *
 * @param report null until every plugin has been judged once
 * @param tick counts the rounds in which every plugin was probed
 * @param tickedAt when the last of them ended
 * @param transitions counts the changes worth a write since the start
 */
record Sample(@Nullable NodeReport report, long tick, Instant tickedAt, long transitions) {
  static final Sample NOTHING_YET = new Sample(null, 0, Instant.EPOCH, 0);

  Sample ticked(Instant now) {
    return new Sample(report, tick + 1, now, transitions);
  }

  Sample with(NodeReport newer) {
    boolean changed = report == null || !newer.saysTheSameAs(report);
    return new Sample(newer, tick, tickedAt, changed ? transitions + 1 : transitions);
  }
}
