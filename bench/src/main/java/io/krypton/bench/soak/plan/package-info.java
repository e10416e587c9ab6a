// SPDX-License-Identifier: Apache-2.0
/** What a soak does and when, computed from its seed alone, and what should be there afterwards. */
@NullMarked
package io.krypton.bench.soak.plan;

import org.jspecify.annotations.NullMarked;
