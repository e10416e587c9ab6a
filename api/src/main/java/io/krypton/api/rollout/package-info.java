// SPDX-License-Identifier: Apache-2.0
/** What Tenants and KryptonDeployments share, since one engine rolls out both. */
@NullMarked
package io.krypton.api.rollout;

import org.jspecify.annotations.NullMarked;
