/** The one sum of many conditions, by the rules that users of OpenShift know. Pure. */
@NullMarked
package io.krypton.operator.kmshealth.union;

import org.jspecify.annotations.NullMarked;
