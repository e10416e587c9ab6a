// SPDX-License-Identifier: Apache-2.0
/** Revisions of a class: a chart with its central values, numbered, hashed and kept on home. */
@NullMarked
package io.krypton.operator.classes.revision;

import org.jspecify.annotations.NullMarked;
