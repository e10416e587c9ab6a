package io.krypton.agent.reporter;

import io.krypton.agent.publish.ApiResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs how a kind of write goes: one line when the class of the outcome changes. */
final class Outcomes {
  private static final Logger log = LoggerFactory.getLogger(Outcomes.class);

  private final WriteKind kind;
  private String last = "";
  private int failures;

  Outcomes(WriteKind kind) {
    this.kind = kind;
  }

  void note(ApiResult result) {
    boolean done = result instanceof ApiResult.Done;
    if (!result.word().equals(last)) {
      var line = (done ? log.atInfo() : log.atWarn()).addKeyValue("write", kind.word());
      if (failures > 0) {
        line = line.addKeyValue("failures", failures);
      }
      line.log(done ? "API server takes it" : result.word() + ": " + result.explanation());
      last = result.word();
    }
    failures = done ? 0 : failures + 1;
  }
}
