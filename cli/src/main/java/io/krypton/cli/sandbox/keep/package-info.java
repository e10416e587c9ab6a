/**
 * {@code krypton sandbox up}, {@code status} and {@code down}: sandboxes that outlive a command.
 */
@NullMarked
package io.krypton.cli.sandbox.keep;

import org.jspecify.annotations.NullMarked;
