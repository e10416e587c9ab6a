// SPDX-License-Identifier: Apache-2.0
/** What a changed chart or changed values would do to releases, before the operator does it. */
@NullMarked
package io.krypton.cli.plan;

import org.jspecify.annotations.NullMarked;
