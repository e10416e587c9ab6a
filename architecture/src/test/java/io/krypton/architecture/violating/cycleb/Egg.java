// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture.violating.cycleb;

import io.krypton.architecture.violating.cyclea.Chicken;
import java.util.List;

/** The other half of the cycle. */
public record Egg(List<Chicken> parents) {}
