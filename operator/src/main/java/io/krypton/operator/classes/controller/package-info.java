// SPDX-License-Identifier: Apache-2.0
/** The controller of TenantClasses on home: accepts changes and tells every owner what it gets. */
@NullMarked
package io.krypton.operator.classes.controller;

import org.jspecify.annotations.NullMarked;
