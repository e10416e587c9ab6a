/** Completion scripts for shells. */
@NullMarked
package io.krypton.cli.completion;

import org.jspecify.annotations.NullMarked;
