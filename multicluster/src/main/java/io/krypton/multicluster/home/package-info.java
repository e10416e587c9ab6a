// SPDX-License-Identifier: Apache-2.0
/**
 * The home cluster: where its credentials come from, and the Secret that makes it engage itself.
 */
@NullMarked
package io.krypton.multicluster.home;

import org.jspecify.annotations.NullMarked;
