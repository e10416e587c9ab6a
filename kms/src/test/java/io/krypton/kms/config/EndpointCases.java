// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.accepted;
import static io.krypton.kms.config.ConfigurationCase.invalid;
import static io.krypton.kms.config.ConfigurationCase.kms;

import java.util.ArrayList;
import java.util.List;

/** Endpoints as Go reads URLs. */
final class EndpointCases {
  private EndpointCases() {}

  static List<ConfigurationCase> all() {
    var cases = new ArrayList<ConfigurationCase>();
    for (var endpoint :
        List.of(
            "unix:///a/k.sock",
            "unix:/a/k.sock",
            "UNIX:///a/k.sock",
            "unix:///a/k.sock?q#f",
            "unix:///a/b%20c.sock",
            "unix:///@foo/bar",
            "unix://var/run/x.sock",
            "unix:",
            "unix://",
            "unix:rel.sock",
            "unix://@foo",
            "unix://u:p@h:1/x",
            "unix://[::1]:80/x",
            "unix:////a b")) {
      cases.add(accepted("endpoint " + endpoint, at(endpoint)));
    }
    cases.addAll(
        List.of(
            scheme("tcp://127.0.0.1:80", "tcp"),
            scheme("/a/k.sock", ""),
            scheme("rel/k.sock", ""),
            scheme("Unix+X://a", "unix+x"),
            malformed("unix:///a%zz", "invalid URL escape \"%zz\""),
            malformed("unix:///a%2", "invalid URL escape \"%2\""),
            malformed("unix://h%20/a", "invalid URL escape \"%20\""),
            malformed("unix://h:abc/a", "invalid port \":abc\" after host"),
            malformed("unix://h h/a", "invalid character \" \" in host name"),
            malformed("unix://[::1/a", "missing ']' in host"),
            malformed("unix://a[b]/a", "invalid IP-literal"),
            malformed("unix://u{@h/a", "net/url: invalid userinfo"),
            malformed(":a", "missing protocol scheme"),
            malformed("1a:b", "first path segment in URL cannot contain colon")));
    cases.add(
        invalid(
            "a control character in an endpoint",
            kms("apiVersion: v2, name: a, endpoint: \"unix:///a\\x01\""),
            "resources[0].providers[0].kms.endpoint: Invalid value: \"unix:///a\\x01\": invalid"
                + " endpoint for kms provider, error: parse \"unix:///a\\x01\": net/url: invalid"
                + " control character in URL"));
    cases.add(
        invalid(
            "a broken fragment",
            at("unix:///a#%zz"),
            "resources[0].providers[0].kms.endpoint: Invalid value: \"unix:///a#%zz\": invalid"
                + " endpoint for kms provider, error: parse \"unix:///a#%zz\": invalid URL escape"
                + " \"%zz\""));
    return cases;
  }

  private static String at(String endpoint) {
    return kms("apiVersion: v2, name: a, timeout: 1ms, endpoint: '" + endpoint + "'");
  }

  private static ConfigurationCase scheme(String endpoint, String scheme) {
    return invalid(
        "scheme of " + endpoint,
        at(endpoint),
        ("resources[0].providers[0].kms.endpoint: Invalid value: \"%s\": unsupported scheme \"%s\""
                + " for KMS provider, only unix is supported")
            .formatted(endpoint, scheme));
  }

  private static ConfigurationCase malformed(String endpoint, String why) {
    return invalid(
        "no URL: " + endpoint,
        at(endpoint),
        ("resources[0].providers[0].kms.endpoint: Invalid value: \"%s\": invalid endpoint for kms"
                + " provider, error: parse \"%s\": %s")
            .formatted(endpoint, endpoint, why));
  }
}
