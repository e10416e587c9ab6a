// SPDX-License-Identifier: Apache-2.0
/** The rules of kube-apiserver for providers and resource names. */
@NullMarked
package io.krypton.kms.config.validate;

import org.jspecify.annotations.NullMarked;
