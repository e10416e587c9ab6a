// SPDX-License-Identifier: Apache-2.0
/** How long people wait for a command. */
@NullMarked
package io.krypton.bench.cli;

import org.jspecify.annotations.NullMarked;
