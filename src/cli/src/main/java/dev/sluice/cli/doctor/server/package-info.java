/**
 * Whether what is installed in the cluster runs as it should: replicas, endpoints, leader, rights,
 * and configuration.
 */
@NullMarked
package dev.sluice.cli.doctor.server;

import org.jspecify.annotations.NullMarked;
