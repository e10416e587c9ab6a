// SPDX-License-Identifier: Apache-2.0
/** Conditions as all custom resources of Krypton carry them. */
@NullMarked
package io.krypton.api.condition;

import org.jspecify.annotations.NullMarked;
