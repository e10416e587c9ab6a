// SPDX-License-Identifier: Apache-2.0
/** What happened to one object, why, and what to do next. */
@NullMarked
package io.krypton.cli.explain;

import org.jspecify.annotations.NullMarked;
