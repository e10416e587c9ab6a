package io.krypton.operator.chart;

import io.krypton.operator.helm.RepoAccess;
import java.io.IOException;

/** Where the credentials of the repository are. Asked for each attempt, so they may be rotated. */
@FunctionalInterface
public interface RepoCredentials {
  RepoCredentials NONE = () -> RepoAccess.NONE;

  /**
   * What holds now.
   *
   * @throws IOException with a text for users that names the place and nothing of what it holds
   */
  RepoAccess read() throws IOException;
}
