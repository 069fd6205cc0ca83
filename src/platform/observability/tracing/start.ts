import { loadEnvFile } from '../../config/env-file.js';
import { tracing } from './tracing.js';

// Loaded before the service, by `node --import petstore/tracing dist/main.js`. Configured by the variables of OpenTelemetry.

const PACKAGES =
  '@opentelemetry/api @opentelemetry/resources @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-http';

/** What the standard allows and we do not support is refused, not ignored. */
function unsupported({ OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_PROTOCOL, ...env }: NodeJS.ProcessEnv) {
  if (OTEL_TRACES_EXPORTER && OTEL_TRACES_EXPORTER !== 'otlp')
    return 'OTEL_TRACES_EXPORTER: must be otlp or none';
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || OTEL_EXPORTER_OTLP_PROTOCOL;
  return protocol && protocol !== 'http/json' ? 'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/json' : undefined;
}

async function start(): Promise<void> {
  const { OpenTelemetry } = await import('./open-telemetry.js');
  tracing.current = new OpenTelemetry();
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

loadEnvFile();
const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = process.env;
if (OTEL_SDK_DISABLED?.toLowerCase() !== 'true' && OTEL_TRACES_EXPORTER !== 'none') {
  const mistake = unsupported(process.env);
  if (mistake) refuse(`Tracing cannot be configured:\n${mistake}`);
  await start().catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    refuse(
      `Tracing needs packages that are not installed: npm install ${PACKAGES}\n${(error as Error).message}`,
    );
  });
}
