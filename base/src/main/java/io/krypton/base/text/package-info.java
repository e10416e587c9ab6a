// SPDX-License-Identifier: Apache-2.0
/**
 * Text as other programs write it: Go durations and booleans, percent encoding, DNS names,
 * redaction.
 */
@NullMarked
package io.krypton.base.text;

import org.jspecify.annotations.NullMarked;
