/**
 * Variables that earlier versions read, and their replacements. If such a variable were ignored, a setting of the operator would
 * silently lose its effect.
 */
const REMOVED: Readonly<Record<string, string>> = {
  WORKERS: 'no longer exists; start a process for each core, each with a PORT of its own behind a proxy',
  REUSE_PORT: 'no longer exists; give each process a PORT of its own behind a proxy',
  REQUEST_TIMEOUT:
    'no longer exists; a request waits in line for 1 s at most, and a connection on which nothing moves for 15 s is closed',
  PETS_IMPORT_DAYS:
    'no longer exists; petstore pets import --resume NAME keeps the progress under a name, until its row of the table imports is deleted',
  SECURITY_CONTACT: 'no longer exists; let the proxy in front serve /.well-known/security.txt',
  ACCESS_HISTORY_DAYS:
    'no longer exists; the history of keys is kept for ever: delete old rows of api_key_events yourself where they must go',
  STORE_ENABLED:
    'no longer exists; issue keys without the scopes orders:read and orders:write, or delete the line of StoreModule in src/app.module.ts',
  LOG_SAMPLE:
    'no longer exists; set LOG_LEVEL=warn to log failures alone, or let the collector of the log take a sample',
};

/** Values of removed variables that mean what the service does anyway. */
const MET: Readonly<Record<string, RegExp>> = { STORE_ENABLED: /^(?:true|t|yes|on|1)$/, LOG_SAMPLE: /^1$/ };

/** One line for each removed variable in the environment. A line begins with the name of the variable. */
export function removedSettings(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(REMOVED)
    .filter(([name]) => environment[name] !== undefined && !MET[name]?.test(environment[name]))
    .map(([name, replacement]) => `${name}: ${replacement}`);
}

/** Variables of OpenTelemetry that contain the URL of the collector. Earlier versions of the service read them. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/**
 * Returns a line if traces would be lost: the environment names a collector, but Node.js was not started with an option that
 * loads OpenTelemetry. `options` are the options of the command line and of NODE_OPTIONS.
 */
export function lostTraces(environment: NodeJS.ProcessEnv, options: string): string[] {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = environment;
  const name = ENDPOINTS.find((endpoint) => environment[endpoint]);
  const isDisabled = OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none';
  if (!name || isDisabled || /(?:^|\s)(?:--import|--require|-r)\b/.test(options)) return [];
  return [
    `${name}: the service no longer sends traces by itself; start it with NODE_OPTIONS="--import .../deploy/otel/tracing.mjs", or leave the variable out`,
  ];
}
