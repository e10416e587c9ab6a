// SPDX-License-Identifier: Apache-2.0
/** From a YAML tree to the typed configuration, with the strictness of kube-apiserver. */
@NullMarked
package io.krypton.kms.config.decode;

import org.jspecify.annotations.NullMarked;
