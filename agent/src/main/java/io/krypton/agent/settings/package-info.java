/** Settings that come from flags, the environment and a file, in this order. */
@NullMarked
package io.krypton.agent.settings;

import org.jspecify.annotations.NullMarked;
