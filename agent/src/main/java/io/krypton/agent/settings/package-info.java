/** Settings files as YAML. */
@NullMarked
package io.krypton.agent.settings;

import org.jspecify.annotations.NullMarked;
