// SPDX-License-Identifier: Apache-2.0
/** Control planes and fresh namespaces as parameters of JUnit tests. */
@NullMarked
package io.krypton.sandbox.junit;

import org.jspecify.annotations.NullMarked;
