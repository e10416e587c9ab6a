/**
 * Finds the clusters that are wanted: kubeconfig Secrets of the home cluster, by label or by name.
 */
@NullMarked
package io.krypton.multicluster.provider;

import org.jspecify.annotations.NullMarked;
