/** {@code krypton sandbox demo}: the main job of Krypton, told step by step with real parts. */
@NullMarked
package io.krypton.cli.sandbox.demo;

import org.jspecify.annotations.NullMarked;
