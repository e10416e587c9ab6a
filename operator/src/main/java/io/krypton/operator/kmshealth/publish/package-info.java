/** Puts what was concluded on the objects of a cluster, and removes what nobody owns any more. */
@NullMarked
package io.krypton.operator.kmshealth.publish;

import org.jspecify.annotations.NullMarked;
