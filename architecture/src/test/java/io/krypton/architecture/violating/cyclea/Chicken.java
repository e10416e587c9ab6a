// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture.violating.cyclea;

import io.krypton.architecture.violating.cycleb.Egg;

/** One half of a package cycle, in a package that is not null-marked. */
public record Chicken(Egg egg) {}
