// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.krypton.api.tenantclass.TenantClass;
import io.krypton.operator.classes.revision.ClassRevision;
import io.krypton.operator.classes.target.RolloutTarget;
import io.krypton.operator.classes.target.TargetIndex;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartStore;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what nobody needs: finished rollouts, old revisions, and charts no class refers to. */
final class ClassCleanup {
  private static final Logger log = LoggerFactory.getLogger(ClassCleanup.class);

  private final HomeClasses home;
  private final ClassMemory memory;
  private final ClassRollouts rollouts;
  private final TargetIndex index;

  ClassCleanup(
      HomeClasses home, ClassMemory memory, ClassRollouts rollouts, TargetIndex index) {
    this.home = home;
    this.memory = memory;
    this.rollouts = rollouts;
    this.index = index;
  }

  void run(
      TenantClass tenantClass,
      List<RolloutTarget> targets,
      ChartStore charts,
      ChartRef flagsChart,
      Map<String, ClassMemory> memories) {
    var limit = tenantClass.getSpec().revisionHistoryLimit();
    rollouts.deleteBeyond(limit);
    var dropped = new HashSet<Integer>();
    for (var revision : memory.revisions().superfluous(limit, inUse(tenantClass, targets))) {
      home.revisions().delete(revision);
      dropped.add(revision.number());
      log.atInfo().addKeyValue("revision", revision).log("dropped a revision of a class");
    }
    if (!dropped.isEmpty()) {
      memory.drop(dropped);
      var classes = home.classes().list();
      charts.retain(
          chart -> chart.equals(flagsChart) || isReferredTo(chart, classes, memories));
    }
  }

  /** Labels of what releases carry, and of what status and rollouts refer to. */
  private Set<String> inUse(TenantClass tenantClass, List<RolloutTarget> targets) {
    var status = tenantClass.getStatus();
    var references =
        Stream.concat(
            Stream.of(status.stable(), status.target()),
            rollouts.latest().stream()
                .map(it -> it.getSpec())
                .flatMap(spec -> Stream.of(spec.from(), spec.to())));
    var inUse =
        references
            .map(memory.revisions()::find)
            .filter(Objects::nonNull)
            .map(ClassRevision::label)
            .collect(Collectors.toCollection(HashSet::new));
    targets.stream()
        .map(RolloutTarget::revisionLabel)
        .filter(Objects::nonNull)
        .forEach(inUse::add);
    return inUse;
  }

  /** In doubt it is kept: of some classes it may not be known yet what they have rolled out. */
  private boolean isReferredTo(
      ChartRef chart, List<TenantClass> classes, Map<String, ClassMemory> memories) {
    for (var tenantClass : classes) {
      var named = tenantClass.getSpec().chart();
      var isOfClass = named.repo().equals(chart.repo()) && named.name().equals(chart.name());
      if (isOfClass && isWanted(tenantClass, chart.version())) {
        return true;
      }
      var other = memories.get(tenantClass.getMetadata().getName());
      if (other == null
          || other.revisions().all().stream().anyMatch(it -> it.chart().equals(chart))) {
        return true;
      }
    }
    return false;
  }

  /** What it asks for, and what its targets are pinned to. */
  private boolean isWanted(TenantClass tenantClass, String version) {
    return tenantClass.getSpec().chart().version().equals(version)
        || index.targets(tenantClass.getMetadata().getName()).stream()
            .anyMatch(target -> version.equals(target.observed().choice().pin()));
  }
}
