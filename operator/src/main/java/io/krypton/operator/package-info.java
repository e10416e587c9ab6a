// SPDX-License-Identifier: Apache-2.0
/**
 * The operator put together: {@link io.krypton.operator.Operator} is the entry, and nothing below
 * this package knows of it.
 */
@NullMarked
package io.krypton.operator;

import org.jspecify.annotations.NullMarked;
