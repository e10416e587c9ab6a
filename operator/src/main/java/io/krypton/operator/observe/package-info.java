// SPDX-License-Identifier: Apache-2.0
/** What the operator shows of itself: probes, metrics and status over HTTP. */
@NullMarked
package io.krypton.operator.observe;

import org.jspecify.annotations.NullMarked;
