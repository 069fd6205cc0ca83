// Traces of the service: node --import ./deploy/otel/tracing.mjs dist/main.js. OpenTelemetry's variables configure it. They may be
// in the file .env, like the settings of the service. Without an endpoint, or if the variables disable it, it does nothing.
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseEnv } from 'node:util';
import { problemsOf, wantsTraces } from './variables.mjs';

try {
  // The service reads the other variables of the file itself.
  const variables = parseEnv(readFileSync('.env', 'utf8').replaceAll('\r\n', '\n'));
  for (const [name, value] of Object.entries(variables))
    if (name.startsWith('OTEL_')) process.env[name] ??= value;
} catch {
  // The file does not exist. If it cannot be read, the service reports it.
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
