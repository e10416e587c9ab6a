package io.krypton.bench.measure;

import io.krypton.bench.figure.Findings;
import java.time.Duration;
import java.util.Optional;

/** Measures one thing. Each run starts from nothing and leaves nothing behind. */
public interface Measurement {
  /** What it is called on the command line. */
  String name();

  /** The size for the published figures. */
  Parameters full();

  /** A size that is worth seconds, if there is one. */
  Optional<Parameters> quick();

  /** How long it will about take, to be told in advance. */
  Duration expected(Parameters parameters);

  void run(Bench bench, Parameters parameters, Findings findings) throws Exception;
}
