// SPDX-License-Identifier: Apache-2.0
/**
 * The objects a release wants, compared with those that live on the cluster: drift and readiness.
 */
@NullMarked
package io.krypton.operator.release.inventory;

import org.jspecify.annotations.NullMarked;
