// SPDX-License-Identifier: Apache-2.0
/**
 * The fleet at a glance: clusters, Tenants and KMS, read from the API with the rights of the user.
 */
@NullMarked
package io.krypton.cli.fleet;

import org.jspecify.annotations.NullMarked;
