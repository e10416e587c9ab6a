// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.krypton.base.crypto.Pem;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a kubeconfig with one context from accepted fields only. */
final class KubeconfigWriter {
  private static final String NAME = "default";
  private static final ObjectMapper YAML =
      new ObjectMapper(
          YAMLFactory.builder()
              .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
              .disable(YAMLGenerator.Feature.SPLIT_LINES)
              .build());

  private KubeconfigWriter() {}

  static String write(ParsedKubeconfig.Accepted accepted) {
    return write(cluster(accepted.endpoint()), user(accepted.credentials()));
  }

  static String write(ObjectNode cluster, ObjectNode user) {
    var root = JsonNodeFactory.instance.objectNode();
    root.put("apiVersion", "v1").put("kind", "Config").put("current-context", NAME);
    root.putArray("clusters").addObject().put("name", NAME).set("cluster", cluster);
    root.putArray("users").addObject().put("name", NAME).set("user", user);
    root.putArray("contexts")
        .addObject()
        .put("name", NAME)
        .putObject("context")
        .put("cluster", NAME)
        .put("user", NAME);
    try {
      return YAML.writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values must be writable", e);
    }
  }

  private static ObjectNode cluster(ApiEndpoint endpoint) {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("server", endpoint.server().toString());
    if (!endpoint.authorities().isEmpty()) {
      node.put("certificate-authority-data", base64(pem(endpoint.authorities())));
    }
    if (endpoint.skipsTlsVerification()) {
      node.put("insecure-skip-tls-verify", true);
    }
    if (endpoint.tlsServerName() != null) {
      node.put("tls-server-name", endpoint.tlsServerName());
    }
    if (endpoint.proxy() != null) {
      node.put("proxy-url", endpoint.proxy().toString());
    }
    return node;
  }

  private static ObjectNode user(ClusterCredentials clusterCredentials) {
    var node = JsonNodeFactory.instance.objectNode();
    var identity = clusterCredentials.identity();
    if (identity != null) {
      node.put("client-certificate-data", base64(pem(identity.chain())));
      node.put("client-key-data", base64(Pem.encode(identity.key())));
    }
    if (clusterCredentials.token() != null) {
      node.put("token", clusterCredentials.token());
    }
    if (clusterCredentials.impersonate() != null) {
      node.put("as", clusterCredentials.impersonate());
      var groups = node.putArray("as-groups");
      clusterCredentials.impersonateGroups().forEach(groups::add);
    }
    return node;
  }

  private static String pem(List<X509Certificate> certificates) {
    return certificates.stream().map(Pem::encode).collect(Collectors.joining());
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
