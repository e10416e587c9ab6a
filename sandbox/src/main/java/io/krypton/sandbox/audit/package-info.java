// SPDX-License-Identifier: Apache-2.0
/** What clients asked of an API server, from its audit log. */
@NullMarked
package io.krypton.sandbox.audit;

import org.jspecify.annotations.NullMarked;
