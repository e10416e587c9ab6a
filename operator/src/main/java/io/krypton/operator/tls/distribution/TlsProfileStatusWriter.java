// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.TlsProfileNames;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.kmshealth.KmsHealthStatus;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.multicluster.status.StatusWriter.StatusResult;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes our conditions to the one KmsHealth; a cluster without it is not told. */
final class TlsProfileStatusWriter {
  private static final Logger log = LoggerFactory.getLogger(TlsProfileStatusWriter.class);

  private final KubernetesClient client;
  private final StatusWriter<KmsHealth> writer;
  private final InstantSource clock;

  TlsProfileStatusWriter(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.writer = new StatusWriter<>(client, TlsProfileNames.FIELD_MANAGER);
    this.clock = clock;
  }

  void write(List<Condition> conditions) {
    var live = client.resources(KmsHealth.class).withName(KmsHealth.NAME).get();
    if (live == null) {
      return;
    }
    var result = writer.write(live, now -> fresh(conditions, now));
    if (result instanceof StatusResult.Refused<KmsHealth>(var code, var message)) {
      log.atWarn().addKeyValue("code", code).log("conditions refused: {}", message);
    }
  }

  private KmsHealth fresh(List<Condition> conditions, KmsHealth live) {
    var stamped =
        conditions.stream()
            .map(
                condition ->
                    ConditionList.withTransitionTime(
                        condition, live.getStatus().conditions(), clock.instant()))
            .toList();
    var fresh = new KmsHealth();
    fresh.setSpec(null);
    fresh.setStatus(new KmsHealthStatus(stamped, null, List.of(), null, null, null, null));
    return fresh;
  }
}
