/**
 * What package managers get, made from the same documents as {@code sluice install}: a Helm chart
 * and a kustomize base. Start at {@link dev.sluice.manifests.packages.GeneratePackages}, which is
 * run while building; nothing here is used by the program.
 */
@NullMarked
package dev.sluice.manifests.packages;

import org.jspecify.annotations.NullMarked;
