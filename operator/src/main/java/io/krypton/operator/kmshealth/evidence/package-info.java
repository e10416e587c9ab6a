/**
 * Whether a node still reports: by changes that the aggregator itself has seen, never by comparing
 * a node's clock with its own.
 */
@NullMarked
package io.krypton.operator.kmshealth.evidence;

import org.jspecify.annotations.NullMarked;
