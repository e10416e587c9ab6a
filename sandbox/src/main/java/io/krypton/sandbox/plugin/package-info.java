// SPDX-License-Identifier: Apache-2.0
/**
 * A KMS v2 plugin for development: real encryption with keys in a plain file, and faults on demand.
 */
@NullMarked
package io.krypton.sandbox.plugin;

import org.jspecify.annotations.NullMarked;
