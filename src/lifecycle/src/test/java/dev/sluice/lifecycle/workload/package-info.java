@NullMarked
package dev.sluice.lifecycle.workload;

import org.jspecify.annotations.NullMarked;
