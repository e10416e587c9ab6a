// SPDX-License-Identifier: Apache-2.0
/** Status of objects, written by server-side apply and only when it differs. */
@NullMarked
package io.krypton.multicluster.status;

import org.jspecify.annotations.NullMarked;
