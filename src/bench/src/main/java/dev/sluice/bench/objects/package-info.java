/**
 * What is sent: objects such as a busy cluster holds, packed into reviews. A new kind is one more
 * {@link dev.sluice.bench.objects.ObjectMaker}; start at {@link dev.sluice.bench.objects.Corpus}.
 */
@NullMarked
package dev.sluice.bench.objects;

import org.jspecify.annotations.NullMarked;
