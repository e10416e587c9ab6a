// SPDX-License-Identifier: Apache-2.0
/** Child processes, and files that nobody else can read and that go with a run of the program. */
@NullMarked
package io.krypton.operator.release.helm.process;

import org.jspecify.annotations.NullMarked;
