package dev.sluice.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sluice.api.configuration.RoleSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class SettingsAgreementTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(SettingsAgreement.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
  }

  private double counted() {
    return registry.get("sluice.settings.differences").gauge().value();
  }

  @Test
  void aKindThatNothingWouldStartIsWarnedOfOnceAndCountedUntilItIsMended() {
    SettingsAgreement agreement = new SettingsAgreement(RoleSettings.parse("batch/job,pod", ""));
    agreement.bindTo(registry);

    agreement.compare(RoleSettings.parse("batch/job", "ConcurrentAdmission=true"));
    agreement.compare(RoleSettings.parse("batch/job", "ConcurrentAdmission=true"));

    assertThat(counted()).isEqualTo(2);
    assertThat(lines.list)
        .hasSize(2)
        .allSatisfy(it -> assertThat(it.getLevel()).isEqualTo(Level.WARN))
        .extracting(ILoggingEvent::getFormattedMessage)
        .anySatisfy(it -> assertThat(it).startsWith("job kind pod is on for admission only"))
        .anySatisfy(it -> assertThat(it).startsWith("feature gate ConcurrentAdmission=true"));

    agreement.compare(RoleSettings.parse("batch/job,pod", ""));
    assertThat(counted()).isZero();
  }

  @Test
  void rolesWithTheSameSettingsAreSilent() {
    SettingsAgreement agreement = new SettingsAgreement(RoleSettings.parse("batch/job", ""));
    agreement.bindTo(registry);

    agreement.compare(RoleSettings.parse("batch/job", ""));

    assertThat(counted()).isZero();
    assertThat(lines.list).isEmpty();
  }
}
