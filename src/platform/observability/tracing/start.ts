import { BadConfiguration } from '../../config/settings.js';
import { tracing } from './tracing.js';

/**
 * Starts tracing if a variable of OpenTelemetry names a collector. To be called before the service is assembled. @throws
 * BadConfiguration for values that the standard allows but the service does not support
 */
export async function startTracing(environment: NodeJS.ProcessEnv): Promise<void> {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_PROTOCOL, ...more } = environment;
  const collector = more['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || more['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (!collector || OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none') return;
  if (OTEL_TRACES_EXPORTER && OTEL_TRACES_EXPORTER !== 'otlp')
    throw new BadConfiguration('OTEL_TRACES_EXPORTER: must be otlp or none');
  const protocol = more['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol && protocol !== 'http/json')
    throw new BadConfiguration('OTEL_EXPORTER_OTLP_PROTOCOL: must be http/json');
  // Loaded only if tracing is on.
  const { OpenTelemetry } = await import('./open-telemetry.js');
  tracing.current = new OpenTelemetry();
}
