/** Caches of what one cluster holds, kept up to date through outages of any length. */
@NullMarked
package io.krypton.multicluster.watch;

import org.jspecify.annotations.NullMarked;
