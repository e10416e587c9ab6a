/** The objects a release wants, compared with those that live on the cluster; no I/O. */
@NullMarked
package io.krypton.operator.manifest;

import org.jspecify.annotations.NullMarked;
