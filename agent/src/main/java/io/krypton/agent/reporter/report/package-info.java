// SPDX-License-Identifier: Apache-2.0
/** What a node says about its KMS plugins, and the forms in which it is written. */
@NullMarked
package io.krypton.agent.reporter.report;

import org.jspecify.annotations.NullMarked;
