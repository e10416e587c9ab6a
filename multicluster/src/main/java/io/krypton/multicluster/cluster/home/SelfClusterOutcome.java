package io.krypton.multicluster.cluster.home;

import java.util.List;

/** What became of the Secret that stands for home itself. */
public sealed interface SelfClusterOutcome {
  record Written(String source) implements SelfClusterOutcome {}

  /** Worth a warning: the file may hold credentials of other clusters. */
  record WrittenFullFile(String source) implements SelfClusterOutcome {}

  record Kept(String why) implements SelfClusterOutcome {}

  /** No source was good; one reason for each. */
  record NotWritten(List<String> why) implements SelfClusterOutcome {
    public NotWritten {
      why = List.copyOf(why);
    }
  }
}
