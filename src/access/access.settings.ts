import { readFileSync } from 'node:fs';
import { makeExactValidator } from 'envalid';
import { parseRate, type Rate, RATE_FORM } from '../kernel/index.js';
import { BadConfiguration, moduleSettings, type ValuesOf } from '../platform/config/index.js';
import { FOREIGN, looksLikeSecret } from './domain/key-secret.js';

function checkApiKey(text: string): string {
  if (looksLikeSecret(text)) return text;
  throw new Error(
    FOREIGN.test(text)
      ? 'begins like a key of this service, but its check sum is wrong'
      : 'must have 32 or more characters, of the letters, digits and -._~+/ that a bearer token may have',
  );
}
const apiKey = makeExactValidator(checkApiKey);

const apiKeyFile = makeExactValidator<string>((path) => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Error(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return checkApiKey(text);
});

const rate = makeExactValidator<Rate>((text) => {
  const parsed = parseRate(text);
  if (!parsed) throw new Error(`must be ${RATE_FORM}`);
  return parsed;
});

const redisUrl = makeExactValidator<string>((text) => {
  if (!/^rediss?:\/\/./.test(text) || !URL.canParse(text))
    throw new Error('must look like redis://127.0.0.1:6379');
  return text;
});

const optional = (desc: string) => ({ default: undefined, desc });

const VARIABLES = {
  bootstrapApiKey: [
    'BOOTSTRAP_API_KEY',
    apiKey(
      optional(
        'A key of your own, registered at the start: 32 or more letters, digits and -._~+/ (only its hash is stored).',
      ),
    ),
  ],
  bootstrapApiKeyFile: [
    'BOOTSTRAP_API_KEY_FILE',
    apiKeyFile(optional('A file with such a key, for mounted secrets; set one of the two, not both.')),
  ],
  rateLimit: [
    'RATE_LIMIT',
    rate(
      optional(
        'How often a key without a rate of its own may be used, per second, minute or hour: 100/s, 600/m, 5000/h; empty: unlimited.',
      ),
    ),
  ],
  redisUrl: [
    'REDIS_URL',
    redisUrl(
      optional(
        'Where replicas share their counts, such as redis://127.0.0.1:6379 (rediss:// for TLS); empty: each process counts for itself.',
      ),
    ),
  ],
} as const;

/** The settings of API keys and their rates. */
export class AccessSettings extends moduleSettings(VARIABLES) {
  constructor(values: ValuesOf<typeof VARIABLES>) {
    super(values);
    if (values.bootstrapApiKey && values.bootstrapApiKeyFile)
      throw new BadConfiguration(
        'BOOTSTRAP_API_KEY: is also set by BOOTSTRAP_API_KEY_FILE; keep one of the two',
      );
  }

  get bootstrapSecret(): string | undefined {
    return this.bootstrapApiKey ?? this.bootstrapApiKeyFile;
  }
}
