import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation, Reference, Response } from './openapi-types.js';

interface Use {
  readonly name: string;
  readonly part: object;
  readonly replace: (by: Reference) => void;
}

/**
 * Moves repeated parts, and every example of an error, into `components`: most of an operation is answers, most of which are
 * the same for all operations.
 */
export function shareComponents(document: OpenAPIObject): OpenAPIObject {
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path as Record<string, Operation>),
  );
  const responses = operations.map(({ responses: given }) => given as Record<string, Response>);
  const answers = responses.flatMap((given) => Object.values(given));
  return {
    ...document,
    components: {
      ...document.components,
      examples: share('examples', answers.flatMap(examplesIn), 1),
      headers: share('headers', answers.flatMap(headersIn)),
      parameters: share('parameters', operations.flatMap(parametersIn)),
      responses: share('responses', operations.flatMap(responsesIn)),
    } as OpenAPIObject['components'] & object,
  };
}

/** Gives equal parts a common name if there are at least `from` of them. */
function share(kind: string, uses: readonly Use[], from = 2): Record<string, object> {
  const groups = new Map<string, Use[]>();
  for (const use of uses) {
    const text = JSON.stringify(use.part);
    groups.set(text, [...(groups.get(text) ?? []), use]);
  }
  const shared: Record<string, object> = {};
  for (const group of groups.values()) {
    if (group.length < from) continue;
    const { name: wanted, part } = group[0]!;
    let name = wanted;
    for (let i = 2; name in shared; i++) name = `${wanted}.${i}`;
    shared[name] = part;
    for (const { replace } of group) replace({ $ref: `#/components/${kind}/${name}` });
  }
  return shared;
}

const membersOf = (owner: object | undefined, nameOf: (member: string, part: object) => string): Use[] =>
  Object.entries((owner ?? {}) as Record<string, object>).map(([member, part]) => ({
    name: nameOf(member, part),
    part,
    replace: (by) => Object.assign(owner!, { [member]: by }),
  }));

const examplesIn = ({ content = {} }: Response) =>
  Object.values(content).flatMap(({ examples }) => membersOf(examples, (code) => code));

const headersIn = ({ headers }: Response) => membersOf(headers, (name) => name);

const parametersIn = ({ parameters = [] }: Operation) =>
  membersOf(parameters, (_, parameter) => (parameter as { name: string }).name);

/** Such as `NotFound`. */
const responsesIn = ({ responses }: Operation) =>
  membersOf(responses, (status) => (STATUS_CODES[status] ?? status).replaceAll(' ', ''));
