import 'reflect-metadata';
import type { Problem } from '../../../kernel/domain-error.js';

const POLICY = Symbol('policy');

/** What a domain objects to in those fields that are well-shaped; the others are left out. */
type Policy<Input> = (input: Partial<Input>) => Problem[];

/**
 * Stands on a DTO and names the domain's policy for what it carries. The policy is asked here only about a body whose shape
 * is refused already, so that the client hears of everything at once; a well-shaped one is judged by the domain itself.
 */
export function ValidatedBy<Input>(policy: Policy<Input>): ClassDecorator {
  return (dto) => Reflect.defineMetadata(POLICY, policy, dto);
}

export function policyOf(dto: object): Policy<unknown> {
  return (Reflect.getMetadata(POLICY, dto) as Policy<unknown> | undefined) ?? (() => []);
}
