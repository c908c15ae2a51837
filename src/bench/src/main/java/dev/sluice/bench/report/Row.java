package dev.sluice.bench.report;

import dev.sluice.bench.load.Sample;

/**
 * One cell and what it found.
 *
 * @param objects objects in each request
 * @param load how it was loaded
 * @param what what was measured: {@code sluice}, {@code echo} or {@code Jackson}
 * @param sample what it found
 */
public record Row(int objects, Load load, String what, Sample sample) {}
