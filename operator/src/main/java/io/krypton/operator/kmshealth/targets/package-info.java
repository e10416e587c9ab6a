// SPDX-License-Identifier: Apache-2.0
/** The kinds of objects that reporters write to. */
@NullMarked
package io.krypton.operator.kmshealth.targets;

import org.jspecify.annotations.NullMarked;
