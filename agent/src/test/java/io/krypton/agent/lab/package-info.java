// SPDX-License-Identifier: Apache-2.0
/** What the integration tests share: targets on a real API server, manifests, credentials. */
@NullMarked
package io.krypton.agent.lab;

import org.jspecify.annotations.NullMarked;
