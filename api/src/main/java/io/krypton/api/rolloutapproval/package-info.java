// SPDX-License-Identifier: Apache-2.0
/** The RolloutApproval: lets a rollout go on after one wave. */
@NullMarked
package io.krypton.api.rolloutapproval;

import org.jspecify.annotations.NullMarked;
