// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import io.krypton.agent.kube.ApiResult;
import io.krypton.agent.reporter.publish.PublishStatus.WriteKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs how a kind of write goes: one line when the class of the outcome changes. */
final class WriteResultLog {
  private static final Logger log = LoggerFactory.getLogger(WriteResultLog.class);

  private final WriteKind kind;
  private String last = "";
  private int failures;

  WriteResultLog(WriteKind kind) {
    this.kind = kind;
  }

  void record(ApiResult result) {
    boolean done = result instanceof ApiResult.Done;
    if (!result.value().equals(last)) {
      var line = (done ? log.atInfo() : log.atWarn()).addKeyValue("write", kind.value());
      if (failures > 0) {
        line = line.addKeyValue("failures", failures);
      }
      line.log(done ? "API server takes it" : result.value() + ": " + result.explanation());
      last = result.value();
    }
    failures = done ? 0 : failures + 1;
  }
}
