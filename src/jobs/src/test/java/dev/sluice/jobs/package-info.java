@org.jspecify.annotations.NullMarked
package dev.sluice.jobs;
