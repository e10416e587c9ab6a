/** How the programs of a node log: plain lines on standard error, set up without any file. */
@NullMarked
package io.krypton.agent.log;

import org.jspecify.annotations.NullMarked;
