import 'reflect-metadata';
import type { Problem } from '../../../kernel/domain-error.js';

const POLICY = Symbol('policy');

/** What a domain objects to in those fields that are well-shaped; the others are left out. */
type Policy<Wish> = (wish: Partial<Wish>) => Problem[];

/**
 * Stands on a DTO and names the domain's policy for what it carries. The policy is asked here only about a body whose shape
 * is refused already, so that the client hears of everything at once; a well-shaped one is judged by the domain itself.
 */
export function JudgedBy<Wish>(policy: Policy<Wish>): ClassDecorator {
  return (shape) => Reflect.defineMetadata(POLICY, policy, shape);
}

export function policyOf(shape: object): Policy<unknown> {
  return (Reflect.getMetadata(POLICY, shape) as Policy<unknown> | undefined) ?? (() => []);
}
