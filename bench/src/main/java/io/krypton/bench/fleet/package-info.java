/** Clusters that come and go. */
@NullMarked
package io.krypton.bench.fleet;

import org.jspecify.annotations.NullMarked;
