package io.krypton.operator.kmshealth;

import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.NodeHealth;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The KMS health of one object of one cluster, for people and dashboards. The conditions are as the
 * cluster shows them; the rest is known to the process that leads.
 *
 * @param sum {@code Degraded}, where the object itself carries it
 * @param serverKeyHash of the key that the API server says it encrypts with, if it can be read
 * @param ages since when nothing was heard of each node
 * @param skews how far the clock of each node is behind
 */
public record KmsView(
    String cluster,
    String target,
    @Nullable Condition degraded,
    @Nullable Condition sum,
    @Nullable Condition converged,
    List<NodeHealth> nodes,
    String nodesHealthy,
    @Nullable String writeKeyId,
    boolean writeKeyFails,
    @Nullable String remoteKeyHash,
    @Nullable String serverKeyHash,
    Map<String, Duration> ages,
    Map<String, Duration> skews) {}
