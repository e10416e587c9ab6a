// SPDX-License-Identifier: Apache-2.0
/**
 * What the reconcilers of Tenants and of KryptonDeployments share: requests, patches, referenced
 * values.
 */
@NullMarked
package io.krypton.operator.release.reconcile;

import org.jspecify.annotations.NullMarked;
