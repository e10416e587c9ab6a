/** Kubernetes Events that never hold up or fail the work they tell of. */
@NullMarked
package io.krypton.multicluster.event;

import org.jspecify.annotations.NullMarked;
