// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import java.nio.file.Path;

/** What Helm can do with charts that are not on any cluster. */
public interface ChartTool {

  /** Pulls {@code oci://…/name}; an empty version means the newest stable one. */
  Result pull(String reference, String version, RepoAccess access, Path into);

  /** Packs a directory that holds a chart, leaving out what its {@code .helmignore} names. */
  Result pack(Path directory, Path into);

  /** What came of it. */
  sealed interface Result {
    record Fetched(Path archive) implements Result {}

    record NotFound() implements Result {}

    record Failed(String message) implements Result {}

    /** Helm itself cannot be used, whatever the chart. */
    record Unusable(String reason) implements Result {}
  }
}
