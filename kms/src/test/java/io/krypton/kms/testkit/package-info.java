// SPDX-License-Identifier: Apache-2.0
/** Plugins that do what a test wants. */
@NullMarked
package io.krypton.kms.testkit;

import org.jspecify.annotations.NullMarked;
