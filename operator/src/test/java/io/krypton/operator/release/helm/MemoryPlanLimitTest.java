// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.helm.MemoryPlan.MemoryLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryPlanLimitTest {
  private static final String MACHINE = "MemTotal:       24681848 kB\nMemFree:  1 kB\n";

  @TempDir Path root;

  @Test
  void version_2_in_a_container() throws IOException {
    write("proc/self/cgroup", "0::/\n");
    write("proc/meminfo", MACHINE);
    write("sys/fs/cgroup/memory.max", "805306368\n");
    assertThat(MemoryLimit.in(root)).hasValue(805306368);
  }

  @Test
  void the_lowest_of_all_groups_counts() throws IOException {
    write("proc/self/cgroup", "0::/kubepods/pod1/c1\n");
    write("sys/fs/cgroup/kubepods/memory.max", "900000000\n");
    write("sys/fs/cgroup/kubepods/pod1/memory.max", "500000000\n");
    write("sys/fs/cgroup/kubepods/pod1/c1/memory.max", "max\n");
    assertThat(MemoryLimit.in(root)).hasValue(500000000);
  }

  @Test
  void version_1() throws IOException {
    write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/pod1/c1\n0::/\n");
    write("sys/fs/cgroup/memory/pod1/c1/memory.limit_in_bytes", "805306368\n");
    write("sys/fs/cgroup/memory/pod1/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(MemoryLimit.in(root)).hasValue(805306368);
  }

  @Test
  void a_group_whose_path_is_that_of_the_host_is_the_mount_itself() throws IOException {
    write("proc/self/cgroup", "4:memory:/kubepods/pod1/c1\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "805306368\n");
    assertThat(MemoryLimit.in(root)).hasValue(805306368);
  }

  @Test
  void without_a_limit_it_is_what_the_machine_has() throws IOException {
    write("proc/self/cgroup", "0::/user.slice\n");
    write("proc/meminfo", MACHINE);
    write("sys/fs/cgroup/user.slice/memory.max", "max\n");
    assertThat(MemoryLimit.in(root)).hasValue(24681848L * 1024);
  }

  @Test
  void a_system_that_does_not_tell() {
    assertThat(MemoryLimit.in(root)).isEmpty();
  }

  @Test
  void here_it_is_known() {
    assertThat(MemoryLimit.ofThisProcess().orElseThrow()).isGreaterThan(1L << 20);
  }

  private void write(String file, String text) throws IOException {
    var path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
