// SPDX-License-Identifier: Apache-2.0
/** One HTTP server for pages: probes, metrics and status. */
@NullMarked
package io.krypton.base.http;

import org.jspecify.annotations.NullMarked;
