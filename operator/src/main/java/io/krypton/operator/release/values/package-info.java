// SPDX-License-Identifier: Apache-2.0
/** Chart values: reading them as Helm would, merging their layers, and a canonical text of them. */
@NullMarked
package io.krypton.operator.release.values;

import org.jspecify.annotations.NullMarked;
