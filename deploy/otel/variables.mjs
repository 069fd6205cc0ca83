/** @param {NodeJS.ProcessEnv} env */
const endpointsOf = (env) =>
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].filter((name) => env[name]);

/** Whether the variables name a collector, and do not disable traces. @param {NodeJS.ProcessEnv} env */
export const wantsTraces = (env) =>
  endpointsOf(env).length > 0 &&
  env.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  env.OTEL_TRACES_EXPORTER !== 'none';

/** The values that are supported, of all that the standard allows; OpenTelemetry would replace others by its default. */
const CHOICES = {
  OTEL_TRACES_EXPORTER: ['otlp', 'none'],
  OTEL_EXPORTER_OTLP_PROTOCOL: ['http/json'],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ['http/json'],
  OTEL_TRACES_SAMPLER: [
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ],
};

const isUrl = (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** A line for each value that cannot be used, which begins with its variable. @param {NodeJS.ProcessEnv} env */
export function problemsOf(env) {
  const problems = endpointsOf(env)
    .filter((name) => !isUrl(env[name]))
    .map((name) => `${name}: must be a URL with its scheme, such as http://127.0.0.1:4318`);
  for (const [name, choices] of Object.entries(CHOICES))
    if (env[name] && !choices.includes(env[name])) problems.push(`${name}: must be ${choices.join(' or ')}`);
  return problems;
}
