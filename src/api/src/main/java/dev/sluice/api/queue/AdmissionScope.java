package dev.sluice.api.queue;

/** Whether the past use of LocalQueues decides on the order. */
public record AdmissionScope(AdmissionMode admissionMode) {}
