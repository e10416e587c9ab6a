// SPDX-License-Identifier: Apache-2.0
/** Trees of JSON and YAML without the machinery that maps them to objects. */
@NullMarked
package io.krypton.agent.json;

import org.jspecify.annotations.NullMarked;
