// SPDX-License-Identifier: Apache-2.0
/** Lets the API server decide who may read a page, and remembers its verdicts for an outage. */
@NullMarked
package io.krypton.operator.tls.auth;

import org.jspecify.annotations.NullMarked;
