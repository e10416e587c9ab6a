// SPDX-License-Identifier: Apache-2.0
/** Every event reason that users can meet. */
@NullMarked
package io.krypton.api.event;

import org.jspecify.annotations.NullMarked;
