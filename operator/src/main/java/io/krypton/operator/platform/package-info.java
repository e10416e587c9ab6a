// SPDX-License-Identifier: Apache-2.0
/** Whether we run on OpenShift: set, detected, or not known yet. */
@NullMarked
package io.krypton.operator.platform;

import org.jspecify.annotations.NullMarked;
