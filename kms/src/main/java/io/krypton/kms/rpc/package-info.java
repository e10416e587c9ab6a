// SPDX-License-Identifier: Apache-2.0
/** The KMS v2 and v1beta1 client over unix sockets; the only package that knows gRPC. */
@NullMarked
package io.krypton.kms.rpc;

import org.jspecify.annotations.NullMarked;
