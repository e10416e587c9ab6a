/** Publishes the TLS profile of the cluster and rolls its consumers, in an order that is safe. */
@NullMarked
package io.krypton.operator.tlsprofile;

import org.jspecify.annotations.NullMarked;
