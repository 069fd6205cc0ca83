/**
 * Variables that earlier versions read, and what takes the place of each. To ignore one would undo what its operator has arranged,
 * without a word.
 */
const REMOVED: Readonly<Record<string, string>> = {
  WORKERS: 'was removed. Start a process for each core, each with a PORT of its own behind a proxy',
  REUSE_PORT: 'was removed. Give each process a PORT of its own behind a proxy',
  REQUEST_TIMEOUT:
    'was removed. A request waits in line for 1 s at most, and a connection on which nothing moves for 15 s is closed',
  PETS_IMPORT_DAYS:
    'was removed. "petstore pets import --resume NAME" keeps the progress under a name, until its row of the table imports is deleted',
  SECURITY_CONTACT: 'was removed. Let the proxy in front serve /.well-known/security.txt',
  ACCESS_HISTORY_DAYS:
    'was removed. The history of keys is kept for ever. Delete old rows of api_key_events yourself if they must be deleted',
  STORE_ENABLED:
    'was removed. Issue keys without the scopes orders:read and orders:write, or delete the line of StoreModule in src/app.module.ts',
  LOG_SAMPLE:
    'was removed. Set LOG_LEVEL=warn to log failures alone, or let the collector of the log take a sample',
};

/** Values that ask for nothing else than what is done anyway. */
const MET: Readonly<Record<string, RegExp>> = { STORE_ENABLED: /^(?:true|t|yes|on|1)$/, LOG_SAMPLE: /^1$/ };

/** A line for each variable of the environment that earlier versions read; begins with its name. */
export function removedSettings(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(REMOVED)
    .filter(([name]) => environment[name] !== undefined && !MET[name]?.test(environment[name]))
    .map(([name, replacement]) => `${name}: ${replacement}`);
}

/** Of OpenTelemetry: where traces go, which the service itself sent in earlier versions. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/**
 * Why traces that an operator wants would get lost: a line if the environment names a collector and Node.js was not told to load
 * anything. `options` are those that Node.js was started with, of its command line and of NODE_OPTIONS.
 */
export function lostTraces(environment: NodeJS.ProcessEnv, options: string): string[] {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = environment;
  const name = ENDPOINTS.find((endpoint) => environment[endpoint]);
  const isDisabled = OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none';
  if (!name || isDisabled || /(?:^|\s)(?:--import|--require|-r)\b/.test(options)) return [];
  return [
    `${name}: the service does not send traces by itself. Start it with NODE_OPTIONS="--import .../deploy/otel/tracing.mjs", or leave the variable out`,
  ];
}
