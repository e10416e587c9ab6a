/**
 * The fleet at a glance: clusters, Tenants and KMS, read from the API with the rights of the user.
 */
@NullMarked
package io.krypton.cli.fleet;

import org.jspecify.annotations.NullMarked;
