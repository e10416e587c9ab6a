// SPDX-License-Identifier: Apache-2.0
/** The Tenant: one namespace with the central chart on each cluster that holds the object. */
@NullMarked
package io.krypton.api.tenant;

import org.jspecify.annotations.NullMarked;
