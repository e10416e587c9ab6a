// SPDX-License-Identifier: Apache-2.0
/** What a measurement is, and the figures that come out of it. */
@NullMarked
package io.krypton.bench.measure;

import org.jspecify.annotations.NullMarked;
