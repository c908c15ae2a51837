@NullMarked
package dev.sluice.multicluster.waiting;

import org.jspecify.annotations.NullMarked;
