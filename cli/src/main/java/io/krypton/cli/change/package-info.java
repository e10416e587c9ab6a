// SPDX-License-Identifier: Apache-2.0
/** Small changes to Tenants and KryptonDeployments: suspend, resume, reconcile. */
@NullMarked
package io.krypton.cli.change;

import org.jspecify.annotations.NullMarked;
