// SPDX-License-Identifier: Apache-2.0
/** The command {@code krypton}: what users type, and where the parts are put together. */
@NullMarked
package io.krypton.cli;

import org.jspecify.annotations.NullMarked;
