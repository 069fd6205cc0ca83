import { diag, DiagLogLevel, SpanKind } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { MySQL2Instrumentation } from '@opentelemetry/instrumentation-mysql2';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

/** How long a collector that does not answer may delay the end of the process. */
const FLUSH_TIMEOUT_MS = 500;
/** How often lost spans are logged. */
const REPORT_INTERVAL_MS = 60_000;

/**
 * The attributes that a span may contain. Other attributes are headers (Host, User-Agent, addresses of clients), paths and queries,
 * which may contain confidential data of clients.
 */
const KNOWN = new Set([
  'db.namespace',
  'db.query.text',
  'db.system.name',
  'error.type',
  'express.name',
  'express.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'network.protocol.version',
  'url.scheme',
]);

/** Exports the spans of requests, without data that may be confidential. */
class DiscreetProcessor extends BatchSpanProcessor {
  onEnd(span) {
    // A statement that does not belong to a request.
    if (span.kind !== SpanKind.SERVER && !span.parentSpanContext) return;
    for (const name of Object.keys(span.attributes)) if (!KNOWN.has(name)) delete span.attributes[name];
    // Messages of errors may contain data that a client has sent.
    span.events.length = 0;
    span.status = { code: span.status.code };
    super.onEnd(span);
  }
}

/** Starts tracing. @param {NodeJS.Require} requireIn of the service, whose modules are instrumented */
export function start(requireIn) {
  reportLosses();
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'petstore' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new DiscreetProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        disableOutgoingRequestInstrumentation: true,
        ignoreIncomingRequestHook: ({ url }) => /^\/(?:livez|readyz|metrics)(?:\?|$)/.test(url),
      }),
      new ExpressInstrumentation({ ignoreLayersType: ['middleware'] }),
      // Otherwise it writes the values of a statement into its text.
      new MySQL2Instrumentation({ maskStatement: true }),
    ],
  });
  // OpenTelemetry instruments these packages when they are required. The service then imports the loaded packages.
  for (const name of ['http', 'express', 'mysql2']) requireIn(name);
  flushAtExit(provider);
}

/** The service ends with `process.exit`, which would lose the spans of its last requests. */
function flushAtExit(provider) {
  const { exit } = process;
  process.exit = (code) => {
    const end = () => exit.call(process, code);
    setTimeout(end, FLUSH_TIMEOUT_MS);
    provider.forceFlush().then(end, end);
  };
}

/** Logs that spans are lost, in the form of the service's log, at most once a minute. */
function reportLosses() {
  let next = 0;
  const warn = (text) => {
    const time = Date.now();
    if (time < next) return;
    next = time + REPORT_INTERVAL_MS;
    const msg = `Spans may be lost: ${String(text).slice(0, 300)}`;
    process.stderr.write(`${JSON.stringify({ level: 40, time, context: 'Tracing', msg })}\n`);
  };
  const ignore = () => {};
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
