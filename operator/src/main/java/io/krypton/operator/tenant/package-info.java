// SPDX-License-Identifier: Apache-2.0
/** Tenants: each is rolled out on the cluster that holds it. */
@NullMarked
package io.krypton.operator.tenant;

import org.jspecify.annotations.NullMarked;
