import { context, diag, DiagLogLevel } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../logging/log-counter.js';
import { requestSpan, spanAround, statementSpan, withLinks } from './spans.js';
import type { Tracing } from './tracing.js';

/** Sends spans to a collector as OTLP over HTTP; configured by the variables `OTEL_*`. */
export function openTelemetry(): Tracing {
  reportExportErrors();
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'petstore' }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register({ propagator: null });
  const tracer = provider.getTracer('petstore');
  return {
    request: (request, response, work) => context.with(requestSpan(tracer, request, response), work),
    useCase: (name, work) => spanAround(tracer.startSpan(name), work),
    statement: (engine, text, work) => statementSpan(tracer, engine, text, work),
    currentSpan: () => context.active(),
    shared: withLinks,
    flush: () => provider.forceFlush(),
  };
}

/** A collector that is away delays nothing: its spans are lost, and that is logged in sums. */
function reportExportErrors(): void {
  let last = '';
  const lost = new LogCounter((count) => new Logger('Tracing').warn(`${count} times: ${last}`));
  const note = (message: string) => {
    last = message;
    lost.add();
  };
  const ignore = () => {};
  diag.setLogger(
    { error: note, warn: note, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
