// SPDX-License-Identifier: Apache-2.0
/**
 * What comes in about the nodes of a target: reports, Leases, Node objects. Knows no other package
 * of kmshealth.
 */
@NullMarked
package io.krypton.operator.kmshealth.input;

import org.jspecify.annotations.NullMarked;
