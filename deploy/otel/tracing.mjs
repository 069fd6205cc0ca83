// Traces of the service: node --import ./deploy/otel/tracing.mjs dist/main.js. Configured by OpenTelemetry's variables, which may
// stand in the file .env as those of the service; without an endpoint, or if they disable it, it does nothing.
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseEnv } from 'node:util';
import { problemsOf, wantsTraces } from './variables.mjs';

try {
  // Other variables are the service's business, which reads the file anew.
  const variables = parseEnv(readFileSync('.env', 'utf8').replaceAll('\r\n', '\n'));
  for (const [name, value] of Object.entries(variables))
    if (name.startsWith('OTEL_')) process.env[name] ??= value;
} catch {
  // There is none; the service itself says so if it cannot be read.
}

/** @returns the `require` of the program that is started, if it is the service: NODE_OPTIONS also reaches npm and others */
function requireOfService() {
  try {
    const require = createRequire(realpathSync(process.argv[1]));
    require.resolve('express');
    return require;
  } catch {
    return undefined;
  }
}

const requireIn = wantsTraces(process.env) ? requireOfService() : undefined;
if (requireIn) {
  const problems = problemsOf(process.env);
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`);
    process.exit(1);
  }
  const { start } = await import('./start.mjs');
  start(requireIn);
}
