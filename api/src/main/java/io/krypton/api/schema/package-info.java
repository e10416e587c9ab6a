// SPDX-License-Identifier: Apache-2.0
/** Marks on record components for what the CRD generator cannot tell from their types. */
@NullMarked
package io.krypton.api.schema;

import org.jspecify.annotations.NullMarked;
