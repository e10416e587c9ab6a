// SPDX-License-Identifier: Apache-2.0
/**
 * {@code krypton sandbox}: control planes on this machine, kept until {@code down}, and the demo.
 */
@NullMarked
package io.krypton.cli.sandbox;

import org.jspecify.annotations.NullMarked;
