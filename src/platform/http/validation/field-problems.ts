import type { ValidationError } from 'class-validator';
import { closest, distance } from 'fastest-levenshtein';
import { DECORATORS } from '@nestjs/swagger';
import type { ProblemCode } from '../../../kernel/domain-error.js';
import { codeOf, isKnownRule } from './problem-codes.js';
import { isReadOnly } from './rules.js';

export type Dto = object;
export type DtoClass<Type extends Dto = Dto> = new () => Type;

/** One objection to one field, which may lie in another: `path` leads to it from the whole. */
export interface FieldProblem {
  readonly path: readonly string[];
  readonly code: ProblemCode;
  /** An English clause that follows the name of the field. */
  readonly message: string;
}

interface Broken {
  readonly rule: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** So many fields that are not known are named; nobody needs thousands. */
export const MAX_UNKNOWN = 100;
const EACH = 'each value in ';
const NESTED = /must be either object or array$/;
const OF_NUMBERS = ['isInt', 'isNumber'];
const SAFE_RANGE = `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** What class-validator found, in the form of the contract: those of a field once, those of a nested object with its path. */
export function fieldProblems(
  errors: readonly ValidationError[],
  dto: Dto,
  path: readonly string[],
): FieldProblem[] {
  const values = dto as Record<string, unknown>;
  const problems: FieldProblem[] = [];
  let unknown = 0;
  for (const { property, constraints = {}, children = [] } of errors) {
    const value = values[property];
    const at = [...path, property];
    if ('unknownValue' in constraints) throw unjudged(dto, path);
    if ('whitelistValidation' in constraints) {
      if (unknown++ < MAX_UNKNOWN) problems.push(unknownField(dto, at));
      continue;
    }
    const broken = Object.entries(constraints).map(([rule, message]) => ({
      rule,
      code: codeOf(rule, value),
      message: clauseOf(property, message),
    }));
    problems.push(...told(broken, value).map(({ code, message }) => ({ path: at, code, message })));
    if (children.length > 0) problems.push(...fieldProblems(children, value as Dto, at));
  }
  return problems;
}

/** A fault is told once: who sent no value, or one of another type, need not hear what else it must be. */
function told(broken: Broken[], value: unknown): Omit<Broken, 'rule'>[] {
  if (value === undefined && broken.some(({ rule }) => isKnownRule(rule)))
    return [{ code: 'required', message: 'is required' }];
  const mistyped = broken.find(({ code }) => code === 'invalid_type');
  if (mistyped) return [mistyped];
  const all = typeof value === 'bigint' ? ofLargeInteger(broken, value) : broken;
  return all.filter(({ message }, i) => all.findIndex((other) => other.message === message) === i);
}

/** A bigint is larger than every number, which class-validator's rules for numbers do not know. */
function ofLargeInteger(broken: Broken[], value: bigint): Broken[] {
  const kept = value > 0n ? ['min', 'isPositive'] : ['max', 'isNegative'];
  const type = broken.find(({ rule }) => OF_NUMBERS.includes(rule));
  const rest = broken.filter(({ rule }) => !OF_NUMBERS.includes(rule) && !kept.includes(rule));
  return type && rest.length === 0 ? [{ ...type, message: SAFE_RANGE }] : rest;
}

/** class-validator's messages begin with the name of the field, which stands beside ours already. */
function clauseOf(property: string, message: string): string {
  const prefix = message.startsWith(EACH) ? 'each value ' : '';
  let clause = prefix === '' ? message : message.slice(EACH.length);
  for (const subject of ['nested property ', `${property} `])
    if (clause.startsWith(subject)) clause = clause.slice(subject.length);
  return NESTED.test(clause) ? 'must be an object' : prefix + clause.replace(/\.$/, '');
}

/** A likely slip of the hand gets a guess, anything else the list. */
export function unknownField(dto: Dto, path: readonly string[]): FieldProblem {
  const field = path.at(-1)!;
  const offered = offeredBy(dto.constructor as DtoClass);
  const nearest = offered.length > 0 ? closest(field, offered) : '';
  const slip = distance(field, nearest) <= Math.max(1, nearest.length / 3);
  const hint = slip ? `did you mean ${nearest}` : `known are ${offered.join(', ')}`;
  return { path, code: 'unknown_field', message: `is not known; ${hint}` };
}

/** The fields that a client may send: those that the class declares, or has from another by one of Nest's mapped types. */
function offeredBy(shape: DtoClass): string[] {
  const documented = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, shape.prototype as object) as
    string[] | undefined;
  const fields = new Set([...Object.keys(new shape()), ...(documented ?? []).map((name) => name.slice(1))]);
  return [...fields].filter((field) => !isReadOnly(shape.prototype as object, field)).sort();
}

function unjudged(dto: Dto, path: readonly string[]): Error {
  const what = path.length === 0 ? dto.constructor.name : path.join('.');
  return new Error(
    `${what} has no rules to be judged by. Give its fields class-validator's decorators; ` +
      'beside @ValidateNested() say with @Type(() => Item) of class-transformer what is in it.',
  );
}
