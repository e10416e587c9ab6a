// SPDX-License-Identifier: Apache-2.0
/** Where settings come from: command line, then environment, then settings file, then default. */
@NullMarked
package io.krypton.cli.settings;

import org.jspecify.annotations.NullMarked;
