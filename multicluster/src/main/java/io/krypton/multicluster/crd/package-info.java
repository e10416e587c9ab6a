// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps custom resource definitions in place on clusters that others may have written to before.
 */
@NullMarked
package io.krypton.multicluster.crd;

import org.jspecify.annotations.NullMarked;
