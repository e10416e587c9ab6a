// SPDX-License-Identifier: Apache-2.0
/** Withdraws owned status fields and removes what dead reporters left. */
@NullMarked
package io.krypton.operator.kmshealth.cleanup;

import org.jspecify.annotations.NullMarked;
