/** {@code krypton sandbox}: real control planes for demos and experiments. */
@NullMarked
package io.krypton.cli.sandbox;

import org.jspecify.annotations.NullMarked;
