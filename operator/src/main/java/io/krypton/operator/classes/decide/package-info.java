// SPDX-License-Identifier: Apache-2.0
/**
 * Which revision of its class a release gets, and how a rollout goes from wave to wave. All of it is
 * pure: what is observed, the stored status and the time go in, the next status comes out; see
 * DESIGN.md.
 */
@NullMarked
package io.krypton.operator.classes.decide;

import org.jspecify.annotations.NullMarked;
