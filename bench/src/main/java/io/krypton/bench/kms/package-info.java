// SPDX-License-Identifier: Apache-2.0
/** Reporter and gate, with development plugins. */
@NullMarked
package io.krypton.bench.kms;

import org.jspecify.annotations.NullMarked;
