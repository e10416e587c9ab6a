// SPDX-License-Identifier: Apache-2.0
/** Settings of the reporter: flags, variables, a file. */
@NullMarked
package io.krypton.agent.reporter.config;

import org.jspecify.annotations.NullMarked;
