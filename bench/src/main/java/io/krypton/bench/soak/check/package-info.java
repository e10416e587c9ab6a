// SPDX-License-Identifier: Apache-2.0
/** What is there after a soak, and whether it is what there should be. */
@NullMarked
package io.krypton.bench.soak.check;

import org.jspecify.annotations.NullMarked;
