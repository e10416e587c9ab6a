// SPDX-License-Identifier: Apache-2.0
/** The reconcile loop: watches of any number of clusters enqueue keys, workers reconcile them. */
@NullMarked
package io.krypton.multicluster.controller;

import org.jspecify.annotations.NullMarked;
