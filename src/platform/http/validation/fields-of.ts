import { getMetadataStorage, type ValidatorConstraintInterface } from 'class-validator';
import type { ProblemCode } from '../../../kernel/domain-error.js';

/** A rule of `field-rules.ts`, as it is applied. */
interface Rule {
  readonly code: ProblemCode;
  readonly message: string;
  holds(value: unknown): boolean;
}

interface Field {
  readonly rules: readonly Rule[];
  /** Whether the rules are asked about this value at all. */
  isAsked(dto: object, value: unknown): boolean;
}

/** The fields of a DTO that have a rule. */
export interface Fields {
  readonly known: ReadonlyMap<string, Field>;
  /** Those that a client may send. */
  readonly offered: readonly string[];
}

const READ_ONLY: ProblemCode = 'read_only_field';
const known = new WeakMap<object, Fields>();

/**
 * What class-validator has noted of a DTO, looked up once: it looks everything up anew for each object that it validates.
 */
export function fieldsOf(shape: new () => object): Fields {
  let found = known.get(shape);
  if (!found) known.set(shape, (found = lookUp(shape)));
  return found;
}

type Noted = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>;

function lookUp(shape: new () => object): Fields {
  const noted = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
  const fields = new Map(
    [...new Set(noted.map(({ propertyName }) => propertyName))].map((name) => [
      name,
      fieldOf(noted.filter(({ propertyName }) => propertyName === name)),
    ]),
  );
  const offered = [...fields].filter(([, { rules }]) => !rules.some(({ code }) => code === READ_ONLY));
  return { known: fields, offered: offered.map(([name]) => name).sort() };
}

function fieldOf(noted: Noted): Field {
  const conditions = noted
    .filter(({ type }) => type === 'conditionalValidation')
    .map(({ constraints }) => constraints[0] as (dto: object, value: unknown) => boolean);
  const isAsked = (dto: object, value: unknown) => conditions.every((holds) => holds(dto, value));
  return { isAsked, rules: noted.filter(({ type }) => type !== 'conditionalValidation').map(ruleOf) };
}

function ruleOf({ type, name, target, propertyName, constraintCls }: Noted[number]): Rule {
  const [constraint] = constraintCls ? getMetadataStorage().getTargetValidatorConstraints(constraintCls) : [];
  if (type !== 'customValidation' || !constraint) {
    throw new Error(`${String(target)}.${propertyName} has a rule (${type}) that is none of field-rules.ts.`);
  }
  const instance = constraint.instance as ValidatorConstraintInterface;
  return {
    code: name as ProblemCode,
    message: instance.defaultMessage?.() ?? '',
    holds: (value) => instance.validate(value) as boolean,
  };
}
