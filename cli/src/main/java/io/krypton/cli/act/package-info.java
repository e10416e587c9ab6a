/** Small changes to Tenants and KryptonDeployments: suspend, resume, reconcile. */
@NullMarked
package io.krypton.cli.act;

import org.jspecify.annotations.NullMarked;
