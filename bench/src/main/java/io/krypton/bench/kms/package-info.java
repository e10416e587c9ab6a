/** Reporter and gate, with development plugins. */
@NullMarked
package io.krypton.bench.kms;

import org.jspecify.annotations.NullMarked;
