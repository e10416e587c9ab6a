// SPDX-License-Identifier: Apache-2.0
/** What holds for the repository as a whole, as people find it before they build anything. */
@NullMarked
package io.krypton.cli.project;

import org.jspecify.annotations.NullMarked;
