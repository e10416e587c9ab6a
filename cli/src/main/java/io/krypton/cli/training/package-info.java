// SPDX-License-Identifier: Apache-2.0
/** Runs commands for the JVM to learn from, so that it starts them faster. */
@NullMarked
package io.krypton.cli.training;

import org.jspecify.annotations.NullMarked;
