package dev.sluice.cli.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.hostile.LauncherFlags;
import dev.sluice.image.Role;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The options of the JVM in the image. */
class RoleOptionsTest {
  @ParameterizedTest
  @EnumSource
  void areThoseOfTheLauncher(Role role) throws IOException {
    assertThat(role.options())
        .containsExactlyInAnyOrderElementsOf(LauncherFlags.given(role.command()));
  }
}
