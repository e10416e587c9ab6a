/** What measurements share: the operator as it ships, plain Helm, a bare client, clusters. */
@NullMarked
package io.krypton.bench.lab;

import org.jspecify.annotations.NullMarked;
