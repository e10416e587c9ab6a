// SPDX-License-Identifier: Apache-2.0
/** What all commands that look at a cluster share: access, output and the words for objects. */
@NullMarked
package io.krypton.cli.view;

import org.jspecify.annotations.NullMarked;
