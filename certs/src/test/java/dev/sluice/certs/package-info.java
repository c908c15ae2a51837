/** What the module promises, as tests. Start at {@code CertificateFolderTest}. */
@NullMarked
package dev.sluice.certs;

import org.jspecify.annotations.NullMarked;
