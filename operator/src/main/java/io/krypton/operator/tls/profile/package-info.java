// SPDX-License-Identifier: Apache-2.0
/** TLS profiles: what they say, how they are written, and what this JVM can make of them. */
@NullMarked
package io.krypton.operator.tls.profile;

import org.jspecify.annotations.NullMarked;
