/**
 * Specification of migrate. {@link dev.sluice.cli.migrate.MigrateE2E} says what holds on a real
 * control plane, what lies in etcd included.
 */
@NullMarked
package dev.sluice.cli.migrate;

import org.jspecify.annotations.NullMarked;
