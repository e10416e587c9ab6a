// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture.violating.crowded;

/** One type too many for its package, with those below. */
public record Crowd() {}

record Guest1() {}

record Guest2() {}

record Guest3() {}

record Guest4() {}

record Guest5() {}

record Guest6() {}

record Guest7() {}

record Guest8() {}

record Guest9() {}

record Guest10() {}

record Guest11() {}

record Guest12() {}

record Guest13() {}

record Guest14() {}

record Guest15() {}

record Guest16() {}

record Guest17() {}

record Guest18() {}

record Guest19() {}

record Guest20() {}
