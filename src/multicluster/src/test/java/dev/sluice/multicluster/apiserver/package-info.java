@NullMarked
package dev.sluice.multicluster.apiserver;

import org.jspecify.annotations.NullMarked;
