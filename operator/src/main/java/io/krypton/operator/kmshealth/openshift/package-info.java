// SPDX-License-Identifier: Apache-2.0
/** The few fields of OpenShift's own objects that matter here; everything else is left alone. */
@NullMarked
package io.krypton.operator.kmshealth.openshift;

import org.jspecify.annotations.NullMarked;
