package io.krypton.agent.gate.settings;

import io.krypton.kms.verdict.Verdict;
import java.net.URI;

/**
 * The HTTP health page that some plugins have.
 *
 * @param on500 what the answer 500 means
 */
public record HttpHealthz(URI url, Verdict on500) {}
