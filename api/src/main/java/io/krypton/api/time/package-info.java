// SPDX-License-Identifier: Apache-2.0
/** How times and durations are written in custom resources. */
@NullMarked
package io.krypton.api.time;

import org.jspecify.annotations.NullMarked;
