// SPDX-License-Identifier: Apache-2.0
/**
 * The KMS health of every engaged cluster: gathers what reporters say, concludes, publishes. See
 * DESIGN.md.
 */
@NullMarked
package io.krypton.operator.kmshealth;

import org.jspecify.annotations.NullMarked;
