import { makeExactValidator } from 'envalid';
import { parseRate, type Rate, RATE_FORM } from '../kernel/index.js';
import {
  BadConfiguration,
  moduleSettings,
  secret,
  secretFile,
  url,
  type ValuesOf,
} from '../platform/config/index.js';
import { FOREIGN, looksLikeSecret } from './domain/key-secret.js';

function checkApiKey(text: string): string {
  if (looksLikeSecret(text)) return text;
  throw new Error(
    FOREIGN.test(text)
      ? 'begins like a key of this service, but its check sum is wrong'
      : 'must have 32 or more characters, of the letters, digits and -._~+/ that a bearer token may have, and = only at the end',
  );
}

const rate = makeExactValidator<Rate>((text) => {
  const parsed = parseRate(text);
  if (!parsed) throw new Error(`must be ${RATE_FORM}`);
  return parsed;
});

const optional = (desc: string) => ({ default: undefined, desc });

const VARIABLES = {
  bootstrapApiKey: [
    'BOOTSTRAP_API_KEY',
    secret(checkApiKey)(
      optional(
        'An API key of your own, with 32 or more letters, digits and -._~+/, and = only at the end. The start registers it, and stores only its hash.',
      ),
    ),
  ],
  bootstrapApiKeyFile: [
    'BOOTSTRAP_API_KEY_FILE',
    secretFile(checkApiKey)(
      optional('A file that contains such a key, for mounted secrets. Set only one of the two settings.'),
    ),
  ],
  rateLimit: [
    'RATE_LIMIT',
    rate(
      optional(
        'How many requests an API key without a rate of its own may send, per second, minute or hour, such as 100/s, 600/m or 5000/h. Without a value, they are unlimited.',
      ),
    ),
  ],
  redisUrl: [
    'REDIS_URL',
    url(
      'redis',
      'rediss',
    )(
      optional(
        'The URL of the Redis server in which replicas share their counts, such as redis://127.0.0.1:6379, or rediss:// for TLS. Without a value, each process counts for itself.',
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
