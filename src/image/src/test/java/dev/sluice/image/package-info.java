/** Tests of the parts of an image that need no JDK tools. */
@NullMarked
package dev.sluice.image;

import org.jspecify.annotations.NullMarked;
