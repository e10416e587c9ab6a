// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code krypton completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Prints a script that completes commands and flags.",
      "bash: source <(krypton completion bash)",
      "zsh:  source <(krypton completion zsh)"
    })
public final class CompletionCommand implements Callable<Integer> {
  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  private Shell shell;

  @Spec private CommandSpec spec;

  /** Lower case as users write it. */
  enum Shell {
    bash,
    zsh
  }

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    if (shell == Shell.zsh) {
      out.println("autoload -U +X compinit && compinit");
      out.println("autoload -U +X bashcompinit && bashcompinit");
    }
    out.println(AutoComplete.bash("krypton", spec.root().commandLine()));
    out.flush();
    return 0;
  }
}
