// SPDX-License-Identifier: Apache-2.0
/** {@code krypton plugin}: the development KMS plugin of the sandbox as a program. */
@NullMarked
package io.krypton.cli.plugin;

import org.jspecify.annotations.NullMarked;
