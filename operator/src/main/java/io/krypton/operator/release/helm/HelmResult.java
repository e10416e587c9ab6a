package io.krypton.operator.release.helm;

import java.time.Duration;

/** How an operation ended. Messages are bounded and hold neither credentials nor secret values. */
public sealed interface HelmResult {

  /** The value of the metrics label {@code result}. */
  String value();

  record Done() implements HelmResult {
    @Override
    public String value() {
      return "done";
    }
  }

  /** Helm said no. */
  record Failed(String message) implements HelmResult {
    @Override
    public String value() {
      return "failed";
    }
  }

  /** Helm did not get through to the API server: a matter of the cluster, not of the release. */
  record Unreachable(String message) implements HelmResult {
    @Override
    public String value() {
      return "unreachable";
    }
  }

  /** Ended by us after this time; the release is failed, or pending if Helm had to be killed. */
  record TimedOut(Duration limit, String message) implements HelmResult {
    @Override
    public String value() {
      return "timed_out";
    }
  }

  /**
   * Ended, or never begun, because the caller was interrupted, the cluster left or we shut down.
   */
  record Stopped() implements HelmResult {
    @Override
    public String value() {
      return "stopped";
    }
  }

  /** Not begun: the release is being worked on, or there is no free slot. */
  record Busy(String reason) implements HelmResult {
    @Override
    public String value() {
      return "busy";
    }
  }

  /** Not begun: the Helm binary or the directory for its files cannot be used. */
  record Unusable(String reason) implements HelmResult {
    @Override
    public String value() {
      return "unusable";
    }
  }
}
