// SPDX-License-Identifier: Apache-2.0
/** {@code krypton operator}: its flags, and how its parts are put together. */
@NullMarked
package io.krypton.cli.operator;

import org.jspecify.annotations.NullMarked;
