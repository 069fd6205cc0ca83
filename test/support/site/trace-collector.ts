import { type Served, serve } from '../serve.js';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly service: string;
  /** The instrumentation that recorded the span. */
  readonly scope: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

type KeyValue = Readonly<{ key: string; value: object }>;
interface Otlp {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: KeyValue[] };
    readonly scopeSpans: {
      readonly scope: { readonly name: string };
      readonly spans: (Omit<CollectedSpan, 'attributes'> & { readonly attributes: KeyValue[] })[];
    }[];
  }[];
}

/** Receives traces as a collector of OpenTelemetry does: JSON over HTTP at `/v1/traces`. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  received = '';

  private constructor(private readonly served: () => Served) {}

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector(() => served);
    const served: Served = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        collector.received += text;
        if (request.url === '/v1/traces') collector.#take(JSON.parse(text) as Otlp);
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
    });
    return collector;
  }

  /** As in `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get endpoint(): string {
    return this.served().origin;
  }

  close(): Promise<void> {
    return this.served().close();
  }

  #take({ resourceSpans }: Otlp): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(read(resource.attributes)['service.name']);
      for (const { scope, spans } of scopeSpans)
        for (const span of spans)
          this.spans.push({ ...span, service, scope: scope.name, attributes: read(span.attributes) });
    }
  }
}

const read = (list: KeyValue[]) =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0] as unknown]));
