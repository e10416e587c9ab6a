package io.krypton.multicluster.event;

/**
 * Who reports.
 *
 * @param component as {@code kubectl describe} shows it
 * @param reportingController a qualified name, e.g. {@code example.com/widget-controller}
 * @param reportingInstance usually the pod
 */
public record EventSource(String component, String reportingController, String reportingInstance) {}
