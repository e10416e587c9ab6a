package io.krypton.operator.platform;

/** The two questions that tell the platform; neither needs any right. */
interface Discovery {
  /** Is {@code config.openshift.io/v1} served? */
  Answer version() throws InterruptedException;

  /** Is the group listed at all, in any version? Never asked of an aggregated API. */
  Answer group() throws InterruptedException;

  /** What the API server says; only the first two are answers of an API server in good health. */
  sealed interface Answer {
    record Yes() implements Answer {}

    record No() implements Answer {}

    record Failed(String why) implements Answer {}
  }
}
