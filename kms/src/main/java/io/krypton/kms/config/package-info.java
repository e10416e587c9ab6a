/**
 * The EncryptionConfiguration of an API server: read, decoded and validated as kube-apiserver does.
 */
@NullMarked
package io.krypton.kms.config;

import org.jspecify.annotations.NullMarked;
