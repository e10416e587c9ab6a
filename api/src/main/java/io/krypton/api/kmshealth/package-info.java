// SPDX-License-Identifier: Apache-2.0
/** KmsHealth: what reporters and the aggregator say about the KMS plugins of one cluster. */
@NullMarked
package io.krypton.api.kmshealth;

import org.jspecify.annotations.NullMarked;
