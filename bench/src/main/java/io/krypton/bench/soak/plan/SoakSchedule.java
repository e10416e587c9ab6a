// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.plan;

import static java.util.Comparator.comparing;

import io.krypton.bench.soak.plan.SoakFault.Scope;
import io.krypton.bench.soak.plan.SoakStep.FaultStep;
import io.krypton.bench.soak.plan.SoakStep.FaultTarget;
import io.krypton.bench.soak.plan.SoakStep.TenantStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * All that a soak will do, in the order of time: a pure function of its settings.
 *
 * <p>Every kind of fault comes once before any comes again, if there is time for that. All end in
 * time. Faults of the same scope and target do not overlap, and at most every other edge is closed
 * at the same time. In the last two thirds only replica {@code a} is ended, so that {@code b} gets
 * old.
 */
public record SoakSchedule(List<FaultStep> faults, List<TenantStep> edits) {
  /** The replica that lives on when the other one is killed. */
  public static final String SURVIVOR = "b";

  private static final String VICTIM = "a";
  private static final List<SoakFault> ALL_FAULTS = List.of(SoakFault.values());
  private static final Set<SoakFault> FREEZES =
      EnumSet.of(SoakFault.FREEZE, SoakFault.FREEZE_WORKER);
  private static final Duration FIRST_FAULT = Duration.ofSeconds(10);

  /** Two to eight seconds pass between two faults. */
  private static final int FAULT_PAUSE_MILLIS = 5000;

  /** How often another fault is tried when one does not fit. */
  private static final int ATTEMPTS = 16;

  private static final int EDIT_PAUSE_MILLIS = 1500;

  /** How many of a hundred faults of a way strike both replicas at once. */
  private static final int BOTH_PERCENT = 50;

  public SoakSchedule {
    faults = List.copyOf(faults);
    edits = List.copyOf(edits);
  }

  public static SoakSchedule of(SoakSettings settings) {
    return new SoakSchedule(
        new FaultDraw(settings).all(), new EditDraw(settings, settings.seed()).all());
  }

  /** Everything, in the order of time. */
  public List<SoakStep> steps() {
    return Stream.concat(faults.stream(), edits.stream())
        .sorted(comparing(SoakStep::at))
        .<SoakStep>map(step -> step)
        .toList();
  }

  /** Draws faults. */
  private static final class FaultDraw {
    private final SoakSettings settings;
    private final Random random;
    private final List<FaultStep> drawn = new ArrayList<>();
    private final List<SoakFault> owed = new ArrayList<>(ALL_FAULTS);

    FaultDraw(SoakSettings settings) {
      this.settings = settings;
      this.random = new Random(settings.seed());
      Collections.shuffle(owed, random);
    }

    List<FaultStep> all() {
      var end = settings.length();
      for (var at = FIRST_FAULT; at.compareTo(end) < 0; at = at.plus(pause())) {
        draw(at);
      }
      return drawn;
    }

    /** Shorter in a short soak, which has to show every kind, too. */
    private Duration pause() {
      var mean =
          Math.min(FAULT_PAUSE_MILLIS, settings.length().toMillis() / (ALL_FAULTS.size() + 8));
      return spread(random, (int) mean);
    }

    /** One that fits; if none is found soon, this time passes without. */
    private void draw(Duration at) {
      for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
        var fault =
            owed.isEmpty()
                ? ALL_FAULTS.get(random.nextInt(ALL_FAULTS.size()))
                : owed.get(attempt % owed.size());
        var step =
            new FaultStep(at, fault, target(fault, at), duration(fault, at), random.nextInt(100));
        if (drawn.stream().noneMatch(other -> clashes(step, other)) && leavesHalf(step)) {
          drawn.add(step);
          owed.remove(fault);
          return;
        }
      }
    }

    private FaultTarget target(SoakFault fault, Duration at) {
      return switch (fault.scope()) {
        case REPLICA -> FaultTarget.replica(mayEndBoth(fault, at) ? replica() : VICTIM);
        case CLOCK, DISK, WORKER -> FaultTarget.replica(replica());
        case LINK ->
            new FaultTarget(
                random.nextInt(100) < BOTH_PERCENT ? FaultTarget.BOTH : replica(), place());
        case SERVER -> FaultTarget.place(place());
        case SECRET -> FaultTarget.place(edge());
      };
    }

    private boolean mayEndBoth(SoakFault fault, Duration at) {
      return FREEZES.contains(fault) || at.compareTo(settings.length().dividedBy(3)) < 0;
    }

    private String replica() {
      return random.nextBoolean() ? VICTIM : SURVIVOR;
    }

    private String place() {
      return random.nextInt(settings.clusters() + 1) == 0 ? FaultTarget.HOME : edge();
    }

    private String edge() {
      return FaultTarget.edge(random.nextInt(settings.clusters()));
    }

    /** Within the limits of the fault, a sixth of all time, and what is left. */
    private Duration duration(SoakFault fault, Duration at) {
      var seconds = fault.shortest() + random.nextInt(fault.longest() - fault.shortest() + 1);
      var left = settings.length().minus(at).toSeconds();
      var most = Math.max(fault.shortest(), settings.length().toSeconds() / 6);
      return Duration.ofSeconds(Math.min(Math.min(seconds, most), left));
    }

    private static boolean clashes(FaultStep step, FaultStep other) {
      return step.fault().scope() != Scope.WORKER
          && step.fault().scope() == other.fault().scope()
          && step.target().overlaps(other.target())
          && meet(step, other);
    }

    private static boolean meet(FaultStep one, FaultStep other) {
      return one.at().compareTo(other.end()) <= 0 && other.at().compareTo(one.end()) <= 0;
    }

    /** Of one edge, none can be left. */
    private boolean leavesHalf(FaultStep step) {
      var closed =
          Stream.concat(drawn.stream().filter(other -> meet(step, other)), Stream.of(step))
              .map(FaultStep::target)
              .filter(FaultTarget::closesPlace)
              .map(FaultTarget::place)
              .filter(place -> !place.equals(FaultTarget.HOME))
              .distinct()
              .count();
      return !step.target().closesPlace() || closed <= Math.max(1, settings.clusters() / 2);
    }
  }

  /** Draws what people do; it starts with the creation of the first Tenants. */
  private static final class EditDraw {
    /** Suspended Tenants are resumed soon after. */
    private static final int LONGEST_SUSPENSION = 45;

    private static final int VALUES = 1_000_000;

    private final SoakSettings settings;
    private final Random random;
    private final List<TenantStep> drawn = new ArrayList<>();
    private final TreeSet<Integer> living = new TreeSet<>();
    private int next;

    EditDraw(SoakSettings settings, int seed) {
      this.settings = settings;
      this.random = new Random(~(long) seed);
    }

    List<TenantStep> all() {
      for (var i = 0; i < settings.tenants(); i++) {
        create(FIRST_FAULT.multipliedBy(i).dividedBy(settings.tenants()));
      }
      for (var at = FIRST_FAULT;
          at.compareTo(settings.length()) < 0;
          at = at.plus(spread(random, EDIT_PAUSE_MILLIS))) {
        draw(at);
      }
      return drawn;
    }

    private void draw(Duration at) {
      var edit = TenantEdit.drawn(random.nextInt(Integer.MAX_VALUE));
      if (edit == TenantEdit.CREATE || living.size() * 2 <= settings.tenants()) {
        create(at);
        return;
      }
      var tenant = List.copyOf(living).get(random.nextInt(living.size()));
      var value =
          edit == TenantEdit.SUSPEND
              ? 1 + random.nextInt(LONGEST_SUSPENSION)
              : random.nextInt(VALUES);
      drawn.add(new TenantStep(at, edit, tenant, value));
      if (edit == TenantEdit.DELETE) {
        living.remove(tenant);
      }
    }

    private void create(Duration at) {
      drawn.add(new TenantStep(at, TenantEdit.CREATE, next, random.nextInt(VALUES)));
      living.add(next++);
    }
  }

  /** About this long, from two fifths to eight fifths. */
  private static Duration spread(Random random, int meanMillis) {
    return Duration.ofMillis(meanMillis * 2L / 5 + random.nextInt(meanMillis * 6 / 5));
  }
}
