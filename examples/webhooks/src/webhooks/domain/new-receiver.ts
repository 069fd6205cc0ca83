import { InvalidInput, type Problem, validateText } from '../../kernel/index.js';

/** The most characters of each text. */
export const MAX_RECEIVER_URL = 500;
export const MAX_RECEIVER_SECRET = 80;

/** What a client wants to add. Its shape is checked, but not yet the policy. */
export interface NewReceiverInput {
  readonly url: string;
}

/** A receiver that the policy accepts. */
export class NewReceiver {
  private constructor(readonly props: NewReceiverInput) {}

  /** Applies today's policy to an input. `allowsHttp` says whether the URL may lack TLS. @throws InvalidInput */
  static from(input: NewReceiverInput, allowsHttp = false): NewReceiver {
    const problems = NewReceiver.validate(input, allowsHttp);
    if (problems.length > 0) throw new InvalidInput(problems);
    return new NewReceiver(input);
  }

  /** All problems that the policy finds in the fields that are present. */
  static validate({ url }: Partial<NewReceiverInput>, allowsHttp = false): Problem[] {
    const problems = validateText('url', url, MAX_RECEIVER_URL);
    return url === undefined || problems.length > 0 ? problems : validateUrl(url, allowsHttp);
  }
}

function validateUrl(url: string, allowsHttp: boolean): Problem[] {
  const { protocol, username, password } = new URL(URL.canParse(url) ? url : 'invalid:');
  const isOfScheme = protocol === 'https:' || (allowsHttp && protocol === 'http:');
  if (isOfScheme && username === '' && password === '') return [];
  return [
    { field: 'url', code: 'invalid_format', message: 'must be a URL with https:// and without a user' },
  ];
}
