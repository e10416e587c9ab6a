// SPDX-License-Identifier: Apache-2.0
/** A long run of two operators in trouble, by a seed, and the page that tells what came of it. */
@NullMarked
package io.krypton.bench.soak;

import org.jspecify.annotations.NullMarked;
