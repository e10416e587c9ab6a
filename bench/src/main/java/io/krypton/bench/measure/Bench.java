package io.krypton.bench.measure;

import java.nio.file.Path;

/**
 * What is measured, and where.
 *
 * @param distribution as {@code make build} leaves it
 * @param scratch an empty directory of this measurement
 */
public record Bench(Path distribution, Path scratch) {}
