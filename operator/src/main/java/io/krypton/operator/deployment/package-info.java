// SPDX-License-Identifier: Apache-2.0
/** KryptonDeployments: each lives on home and is rolled out on the cluster of its region. */
@NullMarked
package io.krypton.operator.deployment;

import org.jspecify.annotations.NullMarked;
