// SPDX-License-Identifier: Apache-2.0
/** Server processes with signals, held ports, and a guard that outlives a killed owner. */
@NullMarked
package io.krypton.sandbox.process;

import org.jspecify.annotations.NullMarked;
