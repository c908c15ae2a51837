/** The command install: the manifests that a cluster needs. */
@NullMarked
package dev.sluice.server.install;

import org.jspecify.annotations.NullMarked;
