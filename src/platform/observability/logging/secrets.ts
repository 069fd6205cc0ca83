const REDACTED = '[Redacted]';

/** A part of a key is redacted too. docs/operations.md publishes the pattern of a whole key. */
const API_KEY = /(psk_(?:live|test)_)[0-9A-Za-z]+/g;
/** A password in front of the host of a URL (RFC 3986 section 3.2.1). It may contain characters that should have been escaped. */
const URL_PASSWORD = /(:\/\/[^\s"/?#:@]*:)[^\s"/?#]*@/g;

/** Members of objects whose values are credentials, in lower case. Node.js gives the names of headers in lower case. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'set-cookie', 'password']);
/** In levels below the instance. */
const DEEPEST_MEMBER = 2;

/** A text, or a line of JSON, without the API keys and the passwords of URLs in it. */
export const withoutSecrets = (text: string): string =>
  text.replaceAll(API_KEY, `$1${REDACTED}`).replaceAll(URL_PASSWORD, `$1${REDACTED}@`);

/** The value of a member of a logged object, or of `show` if the member is not secret. */
export const memberOf = (name: string, value: unknown, show: (value: unknown) => unknown): unknown =>
  SECRET_MEMBERS.has(name.toLowerCase()) ? REDACTED : show(value);

/** Whether an instance of a class has a secret member, down to three levels. `toJSON` decides what is logged of objects that have it. */
export function hasSecretMember(value: object, depth = 0): boolean {
  if (ArrayBuffer.isView(value) || 'toJSON' in value) return false;
  return Object.entries(value).some(
    ([name, member]: [string, unknown]) =>
      SECRET_MEMBERS.has(name.toLowerCase()) ||
      (depth < DEEPEST_MEMBER &&
        typeof member === 'object' &&
        member !== null &&
        hasSecretMember(member, depth + 1)),
  );
}
