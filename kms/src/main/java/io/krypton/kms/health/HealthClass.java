// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

/** The three classes of a health report. */
public enum HealthClass {
  HEALTHY,
  /** The plugin answers, and what it says or does is wrong. */
  UNHEALTHY,
  /** The plugin does not answer. */
  ERROR
}
