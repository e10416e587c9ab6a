// SPDX-License-Identifier: Apache-2.0
/** What an image holds: its bill of materials, and the licences of all that is in it. */
@NullMarked
package io.krypton.image;

import org.jspecify.annotations.NullMarked;
