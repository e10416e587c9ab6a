// SPDX-License-Identifier: Apache-2.0
/** The programs that run beside an API server and never need it to start. */
@NullMarked
package io.krypton.agent;

import org.jspecify.annotations.NullMarked;
