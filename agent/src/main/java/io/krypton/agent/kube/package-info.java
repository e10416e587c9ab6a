// SPDX-License-Identifier: Apache-2.0
/** Talks to the API server with the JDK's HTTP client: credentials, applies and their outcomes. */
@NullMarked
package io.krypton.agent.kube;

import org.jspecify.annotations.NullMarked;
