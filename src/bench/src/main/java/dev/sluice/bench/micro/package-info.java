/**
 * JMH benchmarks of the steps within a conversion: time and bytes allocated. Start at {@link
 * dev.sluice.bench.micro.ReviewBenchmark}.
 */
@NullMarked
package dev.sluice.bench.micro;

import org.jspecify.annotations.NullMarked;
