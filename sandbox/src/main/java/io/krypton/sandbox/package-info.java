// SPDX-License-Identifier: Apache-2.0
/** Real control planes on loopback that live as long as the process that started them. */
@NullMarked
package io.krypton.sandbox;

import org.jspecify.annotations.NullMarked;
