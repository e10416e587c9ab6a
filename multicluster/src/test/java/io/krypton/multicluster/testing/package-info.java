// SPDX-License-Identifier: Apache-2.0
/** What the integration tests of several packages need. */
@NullMarked
package io.krypton.multicluster.testing;

import org.jspecify.annotations.NullMarked;
