// SPDX-License-Identifier: Apache-2.0
/** The one Degraded condition made of many, on KmsHealth and on ClusterOperator. */
@NullMarked
package io.krypton.operator.kmshealth.summary;

import org.jspecify.annotations.NullMarked;
