/** What releases put on their clusters: whether it is still there, unchanged, and ready. */
@NullMarked
package io.krypton.operator.deployed;

import org.jspecify.annotations.NullMarked;
