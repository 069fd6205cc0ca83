import { Script } from 'node:vm';
import { BadInput } from './bad-input.js';

/** `name:type` with its arguments: `text:length`, `integer:min:max`, `decimal:precision:scale`, `enum(words)`, `words(words)`. */
const FIELD = /^([^:]+):([a-z0-9]+)(?::([^()?]*)|\(([^()]*)\))?$/;
/**
 * The end of a field. `:given` means that the service gives its value, and `:fixed` that it cannot be changed afterwards. A `?` means
 * that the field may be absent.
 */
const MARKS = /^(.*?)(?::(given|fixed))?(\?)?$/s;
const NAME = /^[a-z][A-Za-z0-9]*$/;
const WORD = /^[A-Za-z][A-Za-z0-9_-]*$/;
const TYPES = ['text', 'integer', 'int64', 'decimal', 'instant', 'day', 'boolean', 'enum', 'words'];
/** Lists are sorted by fields of these types, and filtered by a range of them. */
export const SORTED = ['instant', 'day'];
/** On MySQL a name has at most 64 characters, and the name of an index consists of a table and two columns. */
const MAX_NAME = 30;
const MAX_WORD = 32;
/** InnoDB: an index has room for 3,072 bytes, and a character may take four bytes. */
const MAX_TEXT = 768;
/** On MySQL a row has space for 65,535 bytes, and each character may need four. Other columns need little. */
const MAX_TEXT_OF_A_ROW = 15_000;
/** The values of a column of the type INT. */
const INT = { least: -(2 ** 31), most: 2 ** 31 - 1 };
/**
 * Names that a field must not have: the parameters of every list, members of every entity, and names that JavaScript treats
 * specially. An object with a member `then` would be a promise.
 */
const TAKEN = ['limit', 'cursor', 'sort', 'id', 'version', 'change', 'prototype', 'undefined', 'then'];

/** Checks all fields together. `patch`: whether there is a PATCH for all fields. @throws BadInput */
export function checkFields(fields, patch) {
  if (!fields.some(({ isGiven, isStatus }) => !isGiven && !isStatus))
    throw new BadInput(
      'The service gives each field. Leave out :given for at least one field that a client sends.',
    );
  const fixed = fields.find(({ isFixed }) => isFixed);
  if (fixed && !patch)
    throw new BadInput(`Without --patch, nothing changes "${fixed.name}": add --patch, or leave out :fixed.`);
  if (patch && !fields.some(({ isGiven, isFixed, isStatus }) => !isGiven && !isFixed && !isStatus))
    throw new BadInput(
      'No field can be changed by a client: leave out --patch, or :fixed for at least one field.',
    );
  const names = fields.flatMap(({ name, type }) =>
    SORTED.includes(type) ? [name, `${name}From`, `${name}Before`] : [name],
  );
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new BadInput(`There are two fields "${twice}".`);
  const length = fields.reduce((sum, field) => sum + (field.length ?? 0), 0);
  if (length > MAX_TEXT_OF_A_ROW)
    throw new BadInput(
      `The texts are too long: all texts of a row together may have ${MAX_TEXT_OF_A_ROW} characters.`,
    );
}

/** Parses one field. @throws BadInput */
export function fieldFrom(text) {
  const [, plain, mark, absent] = MARKS.exec(text);
  const [, name, type, length, words] = FIELD.exec(plain) ?? [];
  if (name === undefined) {
    const [, before, behind] = /^(.*)\?(:(?:given|fixed))$/.exec(text) ?? [];
    if (behind) throw new BadInput(`"${text}" has its ? before the mark: write ${before}${behind}?.`);
    throw new BadInput(`"${text}" is not a field: write its name and its type, such as dueAt:instant?.`);
  }
  checkName(name);
  if (!TYPES.includes(type))
    throw new BadInput(`"${type}" is not a type of a field. The types are ${TYPES.join(', ')}.`);
  const optional = absent !== undefined;
  if (mark === 'given' && type === 'text' && !optional)
    throw new BadInput(`"${text}" has no value at first, because the service gives it: write ${text}?.`);
  return {
    name,
    type,
    optional,
    isGiven: mark === 'given',
    isFixed: mark === 'fixed',
    ...argumentsFrom(name, type, text, length, words),
  };
}

/** The arguments of a type. @throws BadInput */
function argumentsFrom(name, type, text, length, words) {
  if (type === 'text') return { length: lengthFrom(text, length) };
  if (type === 'integer') return boundsFrom(text, length);
  if (type === 'decimal') return digitsFrom(text, length);
  if (type === 'enum' || type === 'words') return { values: valuesFrom(name, type, words) };
  if (length !== undefined || words !== undefined)
    throw new BadInput(
      `"${text}" has too many parts: write ${name}:${type}, with :given or :fixed and ? behind it if you need them.`,
    );
  return {};
}

export function checkName(name) {
  if (!NAME.test(name)) throw new BadInput(`"${name}" is not a valid name of a field: write it like dueAt.`);
  if (name.length > MAX_NAME)
    throw new BadInput(`"${name}" is too long: the name of a field has at most ${MAX_NAME} characters.`);
  if (TAKEN.includes(name) || name in Object.prototype)
    throw new BadInput(`"${name}" has another meaning in every module and cannot name a field.`);
  if (isReservedWord(name)) throw new BadInput(`"${name}" is a word of TypeScript and cannot name a field.`);
}

function lengthFrom(text, length = '') {
  const number = Number(length);
  if (!/^[1-9]\d*$/.test(length))
    throw new BadInput(`"${text}" lacks the largest number of characters, such as name:text:255.`);
  if (number > MAX_TEXT)
    throw new BadInput(`"${text}" is too long for an index: a text has at most ${MAX_TEXT} characters.`);
  return number;
}

function boundsFrom(text, bounds = '') {
  const [, least, most] = /^(-?\d{1,10}):(-?\d{1,10})$/.exec(bounds) ?? [];
  const [min, max] = [Number(least), Number(most)];
  if (least === undefined || min >= max || min < INT.least || max > INT.most)
    throw new BadInput(
      `"${text}" lacks its minimum and its maximum, such as minutes:integer:15:240. Use int64 for values of more than 32 bits.`,
    );
  return { min, max };
}

/** `columns.decimal` has at most 18 digits. */
function digitsFrom(text, digits = '') {
  const [, precision, scale] = /^(\d{1,2}):(\d{1,2})$/.exec(digits) ?? [];
  if (precision === undefined || precision > 18 || scale < 1 || Number(scale) >= Number(precision))
    throw new BadInput(
      `"${text}" lacks the number of its digits, at most 18, and the number of digits after the point, such as price:decimal:10:2.`,
    );
  return { precision: Number(precision), scale: Number(scale) };
}

function valuesFrom(name, type, words = '') {
  const values = words.split(',').filter(Boolean);
  if (values.length === 0) throw new BadInput(`"${name}" lacks its values, such as kind:${type}(a,b).`);
  const bad = values.find((value) => !WORD.test(value) || value.length > MAX_WORD);
  if (bad !== undefined)
    throw new BadInput(
      `"${bad}" is not a valid value of an enum: write a letter, then letters, digits, _ and -, at most ${MAX_WORD} together.`,
    );
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined) throw new BadInput(`"${name}" has the value "${twice}" twice.`);
  return values;
}

/** Whether JavaScript reserves the name, so that no variable can have it. */
export function isReservedWord(name) {
  try {
    new Script(`'use strict'; async () => { let ${name}; }`);
    return false;
  } catch {
    return true;
  }
}
