// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the EncryptionConfiguration as kube-apiserver does, and says which KMS plugin has which
 * job.
 */
@NullMarked
package io.krypton.kms.config.yaml;

import org.jspecify.annotations.NullMarked;
