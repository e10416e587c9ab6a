// SPDX-License-Identifier: Apache-2.0
/** Kubernetes Events that never delay or fail the work they report. */
@NullMarked
package io.krypton.multicluster.event;

import org.jspecify.annotations.NullMarked;
