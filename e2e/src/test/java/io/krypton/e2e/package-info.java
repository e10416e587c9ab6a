// SPDX-License-Identifier: Apache-2.0
/** Stories that a user could type. */
@NullMarked
package io.krypton.e2e;

import org.jspecify.annotations.NullMarked;
