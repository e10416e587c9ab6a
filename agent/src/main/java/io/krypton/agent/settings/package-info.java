// SPDX-License-Identifier: Apache-2.0
/** What settings need beyond base: YAML and picocli. */
@NullMarked
package io.krypton.agent.settings;

import org.jspecify.annotations.NullMarked;
