// SPDX-License-Identifier: Apache-2.0
/** The pages under docs/reference that are made from the code, and what keeps them true. */
@NullMarked
package io.krypton.cli.reference;

import org.jspecify.annotations.NullMarked;
