/**
 * What reporters say about the KMS plugins of their nodes, read from all three forms of a report.
 */
@NullMarked
package io.krypton.operator.kmshealth.report;

import org.jspecify.annotations.NullMarked;
