// SPDX-License-Identifier: Apache-2.0
/** Probing of plugins: what is asked, how often, and what is remembered between two probes. */
@NullMarked
package io.krypton.kms.probe;

import org.jspecify.annotations.NullMarked;
