// SPDX-License-Identifier: Apache-2.0
/** What runs most often, measured by JMH: {@code make bench-jmh}. */
@NullMarked
package io.krypton.bench.hotpath;

import org.jspecify.annotations.NullMarked;
