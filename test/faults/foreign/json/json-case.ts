/** What the service makes of a body: it stores the animal, or refuses the body with one of two codes. */
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

/** A body with one more member, which no animal has, so that good JSON gets no further than the rules of the fields. */
export const withMember = (text: string): string => `{"name":"x","categoryId":1,"more":${text}}`;

/** A body without the braces, which is a good one with them. */
export const MEMBERS = '"name":"x","categoryId":1';
