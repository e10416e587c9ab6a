// SPDX-License-Identifier: Apache-2.0
/** Engages clusters at run time, checks their health and disengages them. */
@NullMarked
package io.krypton.multicluster.cluster;

import org.jspecify.annotations.NullMarked;
