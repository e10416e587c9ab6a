// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One sentence for each reason of a condition of KmsHealth: what it means, what to do. */
public final class KmsRemedies {
  private static final String NOTHING = "Nothing to do.";
  private static final Map<String, String> BY_REASON =
      Map.ofEntries(
          Map.entry(KmsHealthReasons.AS_EXPECTED, NOTHING),
          // Reporter
          Map.entry(
              KmsHealthReasons.UNHEALTHY,
              "A plugin of the node answers, but says that it does not work: read its own log."),
          Map.entry(
              KmsHealthReasons.UNREACHABLE,
              "A plugin of the node does not answer: is it running, and may the reporter use its"
                  + " socket?"),
          // KMSPluginsDegraded
          Map.entry(
              KmsHealthReasons.PLUGIN_UNHEALTHY,
              "A plugin answers, but says that it does not work: read the plugin's log on the node"
                  + " that is named, and check its access to the KMS."),
          Map.entry(
              KmsHealthReasons.PLUGIN_ERROR,
              "A plugin does not answer: start it on the node that is named, and check the owner and"
                  + " mode of its socket."),
          Map.entry(
              KmsHealthReasons.REPORTER_STALE,
              "A reporter has gone silent: look at its log on the node, and at"
                  + " http://127.0.0.1:9811/healthz there. If the message says that there is no"
                  + " Lease, compare --lease-namespace of the reporter with --kms-lease-namespace"
                  + " of the operator, and its right to read Leases there."),
          Map.entry(
              KmsHealthReasons.REPORTER_MISSING,
              "An expected node has never reported: start a reporter there, or correct"
                  + " spec.expectedNodes."),
          Map.entry(
              KmsHealthReasons.MALFORMED_REPORT,
              "A report cannot be read: run reporters of the operator's version, and find out who"
                  + " else writes to this object."),
          Map.entry(
              KmsHealthReasons.NO_DATA, "Nothing has been reported yet: start the reporters."),
          // KMSKeysConverged
          Map.entry(KmsHealthReasons.CONVERGED, "Nothing to do: the next rotation may begin."),
          Map.entry(
              KmsHealthReasons.STABILIZING,
              "Wait: all nodes agree, and spec.convergedFor is not over yet."),
          Map.entry(
              KmsHealthReasons.DIVERGED,
              "Wait until all nodes use the new key; if it lasts, restart the plugin of the nodes"
                  + " that are named."),
          Map.entry(
              KmsHealthReasons.WRITE_KEY_DIFFERS,
              "Wait until the API servers of all nodes encrypt with the same plugin; if it lasts,"
                  + " compare their EncryptionConfigurations."),
          Map.entry(
              KmsHealthReasons.WRITE_KEY_ASSUMED,
              "Nobody says which plugin encrypts: give each reporter --encryption-provider-config,"
                  + " or set spec.writeKeyID."),
          Map.entry(
              KmsHealthReasons.NODES_LEARNED,
              "Nobody says which nodes must report: set spec.expectedNodes, or label the nodes of the"
                  + " control plane."),
          // KMSOldKeyUnreadable
          Map.entry(
              KmsHealthReasons.OLD_KEY_UNREADABLE,
              "Data of an older remote key cannot be decrypted: restore that key, or, once nothing is"
                  + " stored under it any more, list its hash in spec.retiredKeyHashes."),
          Map.entry(
              KmsHealthReasons.NO_WRITE_KEY,
              "No plugin is known to encrypt: set spec.writeKeyID, or start the reporters."),
          Map.entry(
              KmsHealthReasons.PLUGIN_NOT_HEALTHY,
              "The plugin that encrypts fails on a node: cure that first."),
          Map.entry(
              KmsHealthReasons.STALE_REPORT,
              "A node has gone silent, so its key is not known: cure its reporter first."),
          Map.entry(
              KmsHealthReasons.MISSING_NODE,
              "An expected node does not report its key: start a reporter there."),
          Map.entry(
              KmsHealthReasons.NO_KEY_ID,
              "The plugin names no remote key: it must fill key_id in its Status."),
          // Platform and TLS profile
          Map.entry(KmsHealthReasons.OPENSHIFT, "Nothing to do: the platform is OpenShift."),
          Map.entry(KmsHealthReasons.KUBERNETES, "Nothing to do: the platform is not OpenShift."),
          Map.entry(
              KmsHealthReasons.DETECTION_FAILED,
              "The API server gave no certain answer about the platform; it is asked again, and"
                  + " --platform decides by hand."),
          Map.entry(
              KmsHealthReasons.PLATFORM_FLIP,
              "The platform seems to have changed, which is not believed: set --platform if it is"
                  + " true."),
          Map.entry(
              KmsHealthReasons.NOT_REQUESTED,
              "Nothing to do: no profile is published on this platform."),
          Map.entry(
              KmsHealthReasons.SOURCE_UNAVAILABLE,
              "The cluster's profile cannot be read: give the operator the right to read"
                  + " apiservers.config.openshift.io."),
          Map.entry(
              KmsHealthReasons.WRITE_FAILED,
              "The ConfigMap with the profile cannot be written: give the operator that right."),
          Map.entry(
              KmsHealthReasons.READ_BACK_MISMATCH,
              "Somebody else changes the ConfigMap with the profile: find out who."),
          Map.entry(
              KmsHealthReasons.JVM_LIMITS,
              "The JVM cannot serve all of the profile; what is left out stands in the message."),
          Map.entry(
              KmsHealthReasons.TLS_PROFILE_INVALID,
              "Nothing can be served with the cluster's profile: correct it; the one before stays in"
                  + " force."),
          Map.entry(
              KmsHealthReasons.TLS_PROFILE_NOT_FULLY_HONORED,
              "Part of the profile cannot be served; choose ciphers and groups that the JVM knows."),
          Map.entry(
              KmsHealthReasons.CONSUMER_NOT_PATCHED,
              "A Deployment that asks for the profile could not be given it: read the message, and"
                  + " the rights of the operator."));

  private KmsRemedies() {}

  /** What helps; several reasons that are joined give several sentences. */
  static List<String> forReasons(String joined) {
    return Arrays.stream(joined.split("And(?=[A-Z])|_"))
        .flatMap(reason -> of(reason).stream())
        .filter(remedy -> !remedy.equals(NOTHING))
        .toList();
  }

  public static Optional<String> of(String reason) {
    return Optional.ofNullable(BY_REASON.get(reason));
  }
}
