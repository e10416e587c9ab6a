// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

/** The two generations of the KMS API, named as an EncryptionConfiguration names them. */
public enum KmsApiVersion {
  V1("v1", "v1beta1.KeyManagementService"),
  V2("v2", "v2.KeyManagementService");

  private final String value;
  private final String service;

  KmsApiVersion(String value, String service) {
    this.value = value;
    this.service = service;
  }

  public String value() {
    return value;
  }

  /** The full gRPC name of the service. */
  public String service() {
    return service;
  }

  public KmsApiVersion other() {
    return this == V1 ? V2 : V1;
  }
}
