// SPDX-License-Identifier: Apache-2.0
/**
 * The EncryptionConfiguration of an API server: read, decoded and validated as kube-apiserver does.
 */
@NullMarked
package io.krypton.kms.config;

import org.jspecify.annotations.NullMarked;
