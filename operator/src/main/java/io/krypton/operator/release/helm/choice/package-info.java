// SPDX-License-Identifier: Apache-2.0
/** Which engine runs Helm. */
@NullMarked
package io.krypton.operator.release.helm.choice;

import org.jspecify.annotations.NullMarked;
