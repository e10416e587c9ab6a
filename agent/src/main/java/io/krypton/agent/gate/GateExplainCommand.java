// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import io.krypton.agent.gate.wait.GateDecision;
import io.krypton.base.text.GoBool;
import io.krypton.kms.config.EncryptionConfigurations;
import io.krypton.kms.config.ProviderExplanation;
import io.krypton.kms.config.ReadOptions;
import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import io.krypton.kms.config.ReadResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code gate explain}: asks no plugin anything. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Prints what the gate makes of what a plugin does: all of it, or one code.",
      "With a configuration: what it would probe."
    })
final class GateExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "<code>",
      description = "A gRPC code, the name of an errno, or an HTTP status such as http:503.")
  private @Nullable String code;

  @Option(
      names = {"-o", "--output"},
      defaultValue = "text",
      paramLabel = "<form>",
      description = "text, markdown or json. Default: text")
  private String output = "text";

  @Option(
      names = "--encryption-provider-config",
      paramLabel = "<file>",
      description = "The EncryptionConfiguration of an API server.")
  private @Nullable Path configuration;

  @Option(
      names = "--encryption-provider-config-automatic-reload",
      arity = "0..1",
      fallbackValue = "true",
      converter = GoBoolConverter.class,
      paramLabel = "<value>",
      description = "The value of the API server's flag of the same name.")
  private boolean automaticReload;

  @Option(
      names = "--kms-v1",
      defaultValue = "deny",
      paramLabel = "<value>",
      description = "allow, warn or deny. Default: deny")
  private String kmsV1 = "deny";

  @Override
  public Integer call() {
    var explainFormat =
        ExplainFormat.parse(output)
            .orElseThrow(() -> invalidValue("-o", output, "text, markdown, json"));
    if (configuration != null) {
      return explainFile(configuration, explainFormat);
    }
    if (code == null) {
      return print(explainFormat.contract(PluginContract.rows(), PluginContract.notes()));
    }
    var row =
        PluginContract.forCode(code)
            .orElseThrow(
                () ->
                    invalidValue(
                        "code", String.valueOf(code), "a gRPC code, an errno, or http:<status>"));
    return print(explainFormat.contract(List.of(row), List.of()));
  }

  private ParameterException invalidValue(String what, String value, String allowed) {
    return new ParameterException(
        spec.commandLine(), "%s \"%s\" must be one of %s".formatted(what, value, allowed));
  }

  private int explainFile(Path file, ExplainFormat explainFormat) {
    return switch (EncryptionConfigurations.read(
        file, new ReadOptions(automaticReload, policy()))) {
      case ReadResult.Invalid invalid -> {
        var err = spec.commandLine().getErr();
        err.println(invalid.text());
        if (!invalid.hint().isEmpty()) {
          err.println("hint: " + invalid.hint());
        }
        err.flush();
        yield GateDecision.BAD_CONFIGURATION.exitCode();
      }
      case ReadResult.Loaded loaded ->
          print(
              explainFormat.providers(
                  ProviderExplanation.of(loaded.configuration()), loaded.warnings()));
    };
  }

  private KmsV1Policy policy() {
    for (var policy : KmsV1Policy.values()) {
      if (policy.name().toLowerCase(Locale.ROOT).equals(kmsV1)) {
        return policy;
      }
    }
    throw invalidValue("--kms-v1", kmsV1, "allow, warn, deny");
  }

  private int print(String text) {
    var out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
    return CommandLine.ExitCode.OK;
  }

  /** Reads a flag in every spelling that a bool flag of kube-apiserver takes. */
  public static final class GoBoolConverter implements ITypeConverter<Boolean> {
    @Override
    public Boolean convert(String text) {
      return GoBool.parse(text)
          .orElseThrow(
              () -> new TypeConversionException("'%s' is not true or false".formatted(text)));
    }
  }
}
