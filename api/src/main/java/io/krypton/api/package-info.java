// SPDX-License-Identifier: Apache-2.0
/** The custom resources of Krypton as files, and the names that all of them share. */
@NullMarked
package io.krypton.api;

import org.jspecify.annotations.NullMarked;
