// SPDX-License-Identifier: Apache-2.0
/** Files that are replaced as a whole. */
@NullMarked
package io.krypton.base.file;

import org.jspecify.annotations.NullMarked;
