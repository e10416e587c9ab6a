// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A list whose entries are told apart by keys, so that several writers can each apply their own
 * entries. Without it the list is atomic: the last writer erases what the others wrote.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface ListMap {
  /** The fields that identify an entry; each is required. */
  String[] keys();
}
