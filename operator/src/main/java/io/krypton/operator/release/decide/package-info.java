// SPDX-License-Identifier: Apache-2.0
/** The state of a release as its Secrets show it, and the decision what to do next; no I/O. */
@NullMarked
package io.krypton.operator.release.decide;

import org.jspecify.annotations.NullMarked;
