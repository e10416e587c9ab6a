// SPDX-License-Identifier: Apache-2.0
/**
 * What an observation of a plugin means, and when it counts: pure decisions, shared by reporter and
 * gate. See DESIGN.md beside this file.
 */
@NullMarked
package io.krypton.kms.health;

import org.jspecify.annotations.NullMarked;
