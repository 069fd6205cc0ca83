import { InvalidArgumentError } from 'commander';

// Parsers for option values.

export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1e9)) throw new InvalidArgumentError('Not a positive number.');
  return value;
}

export function count(text: string): number {
  if (!Number.isInteger(positive(text))) throw new InvalidArgumentError('Not a whole number.');
  return Number(text);
}

export const counts = (text: string): number[] => text.split(',').map(count);

export function someOf<Name extends string>(names: readonly Name[]) {
  return (text: string): Name[] => {
    const wanted = text.split(',');
    const unknown = wanted.find((name) => !names.includes(name as Name));
    if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${names.join(', ')}.`);
    return names.filter((name) => wanted.includes(name));
  };
}

export function setting(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Must look like KEY=VALUE.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
