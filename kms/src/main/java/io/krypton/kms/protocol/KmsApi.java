package io.krypton.kms.protocol;

/** The two generations of the KMS API, named as an EncryptionConfiguration names them. */
public enum KmsApi {
  V1("v1", "v1beta1.KeyManagementService"),
  V2("v2", "v2.KeyManagementService");

  private final String word;
  private final String service;

  KmsApi(String word, String service) {
    this.word = word;
    this.service = service;
  }

  public String word() {
    return word;
  }

  /** The full gRPC name of the service. */
  public String service() {
    return service;
  }

  public KmsApi other() {
    return this == V1 ? V2 : V1;
  }
}
