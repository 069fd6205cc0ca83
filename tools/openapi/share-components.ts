import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation, Reference, Response } from './openapi-types.js';

interface Use {
  readonly name: string;
  /** The name of the operation. */
  readonly by: string;
  readonly part: object;
  readonly replace: (by: Reference) => void;
}

/**
 * Moves repeated parts, and every example of an error, into `components`. An operation consists mostly of responses, and most
 * responses are the same for all operations.
 */
export function shareComponents(document: OpenAPIObject): OpenAPIObject {
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path as Record<string, Operation>),
  );
  const ofAnswers = (membersIn: (answer: Response, by: string) => Use[]) =>
    operations.flatMap(({ operationId = '', responses }) =>
      Object.values(responses as Record<string, Response>).flatMap((answer) =>
        membersIn(answer, operationId),
      ),
    );
  return {
    ...document,
    components: {
      ...document.components,
      examples: share('examples', ofAnswers(examplesIn), 1),
      headers: share('headers', ofAnswers(headersIn)),
      parameters: share('parameters', operations.flatMap(parametersIn)),
      responses: share('responses', operations.flatMap(responsesIn)),
    } as OpenAPIObject['components'] & object,
  };
}

/**
 * Gives equal parts a common name if there are at least `from` of them. If different parts would have the same name, the names of
 * the later ones begin with an operation.
 */
function share(kind: string, uses: readonly Use[], from = 2): Record<string, object> {
  const groups = new Map<string, Use[]>();
  for (const use of uses) {
    const text = JSON.stringify(use.part);
    groups.set(text, [...(groups.get(text) ?? []), use]);
  }
  const shared: Record<string, object> = {};
  for (const group of groups.values()) {
    if (group.length < from) continue;
    const { name: wanted, part, by } = group[0]!;
    const plain = wanted in shared ? `${by.charAt(0).toUpperCase()}${by.slice(1)}${wanted}` : wanted;
    let name = plain;
    for (let i = 2; name in shared; i++) name = `${plain}${i}`;
    shared[name] = part;
    for (const { replace } of group) replace({ $ref: `#/components/${kind}/${name}` });
  }
  return shared;
}

const membersOf = (
  owner: object | undefined,
  by: string,
  nameOf: (member: string, part: object) => string,
): Use[] =>
  Object.entries((owner ?? {}) as Record<string, object>).map(([member, part]) => ({
    name: nameOf(member, part),
    by,
    part,
    replace: (by) => Object.assign(owner!, { [member]: by }),
  }));

const examplesIn = ({ content = {} }: Response, by: string) =>
  Object.values(content).flatMap(({ examples }) => membersOf(examples, by, (code) => code));

const headersIn = ({ headers }: Response, by: string) => membersOf(headers, by, (name) => name);

const parametersIn = ({ operationId = '', parameters = [] }: Operation) =>
  membersOf(parameters, operationId, (_, parameter) => (parameter as { name: string }).name);

/** The names are such as `NotFound`. */
const responsesIn = ({ operationId = '', responses }: Operation) =>
  membersOf(responses, operationId, (status) => (STATUS_CODES[status] ?? status).replaceAll(' ', ''));
