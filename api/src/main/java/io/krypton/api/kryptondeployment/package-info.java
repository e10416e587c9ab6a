// SPDX-License-Identifier: Apache-2.0
/** The KryptonDeployment: an object on the home cluster that is rolled out to its region. */
@NullMarked
package io.krypton.api.kryptondeployment;

import org.jspecify.annotations.NullMarked;
