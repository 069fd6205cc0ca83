import { type Served, serve } from '../serve.js';

/** A span as received over OTLP. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly service: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly failed: boolean;
}

type Value = Record<string, unknown>;
interface KeyValue {
  readonly key: string;
  readonly value: Value;
}
interface Otlp {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: KeyValue[] };
    readonly scopeSpans: {
      readonly spans: (Omit<CollectedSpan, 'attributes' | 'links'> & {
        readonly attributes: KeyValue[];
        readonly links?: CollectedSpan['links'];
        readonly status?: { readonly code?: number };
      })[];
    }[];
  }[];
}

/** Receives traces as a collector of OpenTelemetry does: JSON over HTTP at `/v1/traces`. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  requests = 0;

  private constructor(private readonly served: () => Served) {}

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector(() => served);
    const served: Served = await serve((request, response) => {
      collector.requests += 1;
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === '/v1/traces')
          collector.#take(JSON.parse(Buffer.concat(chunks).toString()) as Otlp);
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
    });
    return collector;
  }

  /** As in `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get endpoint(): string {
    return this.served().origin;
  }

  named(name: string): CollectedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  close(): Promise<void> {
    return this.served().close();
  }

  #take({ resourceSpans }: Otlp): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(read(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { attributes, links = [], status, parentSpanId } = span;
        this.spans.push({
          ...span,
          service,
          parentSpanId: parentSpanId || undefined,
          attributes: read(attributes),
          links,
          failed: status?.code === 2,
        });
      }
    }
  }
}

const read = (list: KeyValue[]) =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
