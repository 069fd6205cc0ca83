/** The outcome of a body: the animal is stored, or the body is refused with one of two codes. */
export type Outcome = 'stored' | 'invalid_json' | 'validation_failed';

export interface JsonCase {
  readonly kind: string;
  readonly body: Buffer;
  readonly outcome: Outcome;
}

export const jsonCase = (kind: string, body: string | Buffer, outcome: Outcome): JsonCase => ({
  kind,
  body: Buffer.from(body),
  outcome,
});

/** The same outcome for many bodies. */
export const cases = (kind: string, outcome: Outcome, bodies: readonly (string | Buffer)[]): JsonCase[] =>
  bodies.map((body) => jsonCase(kind, body, outcome));

/** A body whose `name` is this JSON text. */
export const named = (text: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from('{"name":'), Buffer.from(text), Buffer.from(',"categoryId":1}')]);

/** A body whose `categoryId` is this JSON text. */
export const numbered = (text: string): string => `{"name":"x","categoryId":${text}}`;

/** A body with one unknown member, so that the rules of the fields refuse it even if it is valid JSON. */
export const withMember = (text: string): string => `{"name":"x","categoryId":1,"more":${text}}`;

/** The members of a valid body, without the braces. */
export const MEMBERS = '"name":"x","categoryId":1';
