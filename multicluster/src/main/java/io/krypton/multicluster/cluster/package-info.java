/** Engages clusters at run time, watches over them, and lets them go without a trace. */
@NullMarked
package io.krypton.multicluster.cluster;

import org.jspecify.annotations.NullMarked;
