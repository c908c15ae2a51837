package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import org.junit.jupiter.api.Test;

class RehearseCommandTest {
  /** The launcher goes on without a start-up cache if the rehearsal fails, and says nothing. */
  @Test
  void everyCommandOfTheRehearsalSucceeds() {
    Ran ran = Commands.run("rehearse");

    assertThat(ran.code()).as(ran.err()).isZero();
  }
}
