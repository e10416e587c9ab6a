// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.gate.SideBySide.Row;
import io.krypton.agent.gate.lab.LabPlugin;
import io.krypton.agent.gate.lab.Manners;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What is done to plugins while a gate and a kube-apiserver look at them. */
record Scenarios(SideBySide both, SequencedMap<String, LabPlugin> plugins) {
  /** On a machine that is too busy to cure a plugin in this time, times are not compared. */
  private static final Duration FRESH = Duration.ofMillis(1500);

  Scenarios {
    plugins = new LinkedHashMap<>(plugins);
  }

  /** A way to break a plugin, and its cure. */
  record Fault(Consumer<LabPlugin> ill, Consumer<LabPlugin> well) {
    static Fault of(Consumer<Manners> ill, Consumer<Manners> well) {
      return new Fault(
          plugin -> ill.accept(plugin.manners()), plugin -> well.accept(plugin.manners()));
    }
  }

  /** Both began without the plugin; it comes now. */
  List<Row> late(String name) {
    var index = index(name);
    assertThat(both.awaitRed(index).gate().text()).contains(named(name));
    var words = both.words(index);
    plugin(name).start();
    return List.of(new Row(name + " at the start", words, null, both.awaitGreen(index)));
  }

  /** From the moment at which kube-apiserver has seen the plugin well, as the gate does always. */
  List<Row> fault(String name, Fault fault) {
    var index = index(name);
    awaitFreshLook(name);
    fault.ill().accept(plugin(name));
    var red = both.awaitRed(index);
    assertThat(red.gate().text()).contains(named(name));
    var words = both.words(index);
    fault.well().accept(plugin(name));
    return List.of(new Row(name, words, red.times(), both.awaitGreen(index)));
  }

  /**
   * A fault of Encrypt, which costs money: kube-apiserver tries it every few seconds for ever, the
   * gate saves calls once it is red, so that it is red first but may be green later.
   */
  List<Row> paidFault(String name, Fault fault) {
    return fault(name, fault).stream()
        .map(row -> new Row(row.name(), row.verdicts(), row.red(), null))
        .toList();
  }

  /** A new key is no fault: nobody turns red until kube-apiserver has seen it. */
  List<Row> rotation(String name) {
    awaitFreshLook(name);
    plugin(name).manners().key("key-2");
    awaitFreshLook(name);
    assertThat(both.words(index(name))).isEqualTo("ok / ok");
    return List.of(new Row(name, "ok / ok", null, null));
  }

  /** One fails after the other until all do, and they recover in the same order. */
  List<Row> inTurn(SequencedMap<String, Fault> faults) {
    var rows = new ArrayList<Row>();
    var ill = new TreeSet<String>();
    faults.forEach(
        (name, fault) -> {
          awaitFreshLook(name);
          fault.ill().accept(plugin(name));
          var red = both.awaitRed(index(name));
          ill.add(name);
          rows.add(new Row(name + " fails", verdicts(faults.keySet(), ill), red.times(), null));
        });
    faults.forEach(
        (name, fault) -> {
          var refused = awaitFreshRefusal(name);
          fault.well().accept(plugin(name));
          var comparable = since(refused).compareTo(FRESH) < 0;
          var green = both.awaitGreen(index(name));
          ill.remove(name);
          rows.add(
              new Row(
                  name + " recovers",
                  verdicts(faults.keySet(), ill),
                  null,
                  comparable ? green : null));
        });
    return rows;
  }

  /** What both say to each of them, which must be right for every single one. */
  private String verdicts(Set<String> names, Set<String> ill) {
    var gate = new ArrayList<String>();
    var apiServer = new ArrayList<String>();
    for (var name : names) {
      var words = both.words(index(name)).split(" / ");
      assertThat(words[0].equals("ok"))
          .as("%s at the gate: %s", name, words[0])
          .isNotEqualTo(ill.contains(name));
      assertThat(words[1].equals("ok"))
          .as("%s at the API server", name)
          .isNotEqualTo(ill.contains(name));
      gate.add(words[0]);
      apiServer.add(words[1]);
    }
    return String.join(", ", gate) + " / " + String.join(", ", apiServer);
  }

  private void awaitFreshLook(String name) {
    var seen = plugin(name).callsOfApiServers();
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> both.apiServerIsGreen(index(name)) && plugin(name).callsOfApiServers() > seen);
  }

  /**
   * Until kube-apiserver has just been refused; a plugin that is gone sees nobody look.
   *
   * @return when it was asked, as it looks again three seconds later whatever we do meanwhile
   */
  private long awaitFreshRefusal(String name) {
    var seen = plugin(name).callsOfApiServers();
    var asked = new AtomicLong();
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              asked.set(System.nanoTime());
              return !both.apiServerIsGreen(index(name))
                  && (!plugin(name).isRunning() || plugin(name).callsOfApiServers() > seen);
            });
    return asked.get();
  }

  private static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }

  private String named(String name) {
    return "KMS provider \"%s\" (kms-provider-%d".formatted(name, index(name));
  }

  private int index(String name) {
    return List.copyOf(plugins.keySet()).indexOf(name);
  }

  private LabPlugin plugin(String name) {
    return Objects.requireNonNull(plugins.get(name));
  }
}
