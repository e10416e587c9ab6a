/**
 * One engine for every source of intent: brings one release on one cluster to what its owner wants.
 */
@NullMarked
package io.krypton.operator.rollout;

import org.jspecify.annotations.NullMarked;
