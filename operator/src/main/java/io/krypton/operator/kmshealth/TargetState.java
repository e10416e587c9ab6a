package io.krypton.operator.kmshealth;

import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.HealthReport;
import io.krypton.operator.kmshealth.verdict.Observation;
import io.krypton.operator.kmshealth.verdict.Published;
import java.time.Duration;
import java.util.List;

/** What is read from an object that reporters write to, whatever its kind. */
record TargetState(
    List<Condition> conditions,
    List<HealthReport> reports,
    Published published,
    Observation.Wanted wanted,
    ExpectedBy expectedBy,
    Duration degradedInertia) {}
