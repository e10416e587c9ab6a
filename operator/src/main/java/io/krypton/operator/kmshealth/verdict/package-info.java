/** What follows from the evidence of all nodes: a pure decision with a memory. */
@NullMarked
package io.krypton.operator.kmshealth.verdict;

import org.jspecify.annotations.NullMarked;
