/** Tenants and KryptonDeployments: rolling out, steady state, upgrade, drift, an outage. */
@NullMarked
package io.krypton.bench.rollout;

import org.jspecify.annotations.NullMarked;
