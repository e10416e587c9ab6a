// SPDX-License-Identifier: Apache-2.0
/** The TenantClass: which chart and values its releases get, and in which waves a change goes. */
@NullMarked
package io.krypton.api.tenantclass;

import org.jspecify.annotations.NullMarked;
