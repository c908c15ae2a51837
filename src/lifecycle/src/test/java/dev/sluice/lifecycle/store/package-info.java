@NullMarked
package dev.sluice.lifecycle.store;

import org.jspecify.annotations.NullMarked;
