package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RehearseCommandTest {
  /** The launcher goes on without a start-up cache if the rehearsal fails, and says nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"rehearse", "rehearse --questions"})
  void everyCommandOfTheRehearsalSucceeds(String command) {
    Ran ran = Commands.run(command.split(" ", -1));

    assertThat(ran.code()).as(ran.err()).isZero();
  }
}
