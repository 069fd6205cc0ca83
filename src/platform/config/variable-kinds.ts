import { readFileSync } from 'node:fs';
import { makeExactValidator, makeValidator } from 'envalid';
import express from 'express';
import { BASE_PATH } from './base-path.js';
import { bytesOf } from './byte-size.js';
import { parseDatabaseUrl } from './database-url.js';

// The kinds of variables. Each kind parses a text, or throws an error that says which texts are valid.

export const isProduction = makeExactValidator((text) => {
  if (!['development', 'test', 'production'].includes(text)) {
    throw new Error('must be development, test or production');
  }
  return text === 'production';
});

export const database = makeExactValidator(parseDatabaseUrl);

export const wholeNumber = (from: number, to: number) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < from || value > to) {
      throw new Error(`must be a whole number from ${from} to ${to}`);
    }
    return value;
  });

/** A URL of one of these schemes, such as `https`. A URL that has a password is a secret, too. */
export const url = (...schemes: string[]) =>
  makeExactValidator<string>((text) => {
    const isOfScheme = schemes.some((scheme) => text.startsWith(`${scheme}://`));
    if (!isOfScheme || !URL.canParse(text) || new URL(text).host === '') {
      throw new Error(
        `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
      );
    }
    return text;
  });

/** Checks a secret. @returns the secret. @throws Error whose message says what is wrong, and never repeats the secret */
type CheckSecret = (text: string) => string;

const checkEnds: CheckSecret = (text) => {
  if (text !== text.trim()) throw new Error('must not begin or end with white space');
  return text;
};

/** A secret, such as a password or a token. Messages do not repeat it. */
export const secret = (check = checkEnds) => makeExactValidator<string>(check);

/** The path of a file that contains a secret, such as a mounted one. The value is the secret, without the white space around it. */
export const secretFile = (check = checkEnds) =>
  makeExactValidator<string>((path) => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8').trim();
    } catch (error) {
      throw new Error(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
    if (text === '') throw new Error('names a file that is empty');
    return check(text);
  });

export const baseUrl = makeExactValidator<string>((text) => {
  const { href } = URL.canParse(text) ? new URL(text) : { href: '' };
  if (!/^https?:\/\/[^?#@]+$/.test(href) || !href.endsWith(BASE_PATH)) {
    throw new Error(`must be an http or https URL, without user or query, that ends in ${BASE_PATH}`);
  }
  return href;
});

export const origins = makeExactValidator<string[]>((text) => {
  const list = text.split(/, */);
  const isOrigin = (origin: string) => URL.canParse(origin) && new URL(origin).origin === origin;
  if (!list.every((origin) => origin === '*' || isOrigin(origin))) {
    throw new Error('must be * or origins such as https://shop.example, separated by commas');
  }
  return list;
});

export const trustProxy = makeExactValidator<boolean | number | string>((text) => {
  const value = text === 'false' ? false : /^\d{1,2}$/.test(text) ? Number(text) : text;
  try {
    express().set('trust proxy', value);
  } catch {
    throw new Error('must be false, a number of proxies, or addresses such as loopback, 10.0.0.0/8');
  }
  return value;
});

/** BODY_LIMIT applies to every route that has no limit of its own, so it must not be as large as one route may need. */
const MAX_BODY_SIZE = 8 * 1024 * 1024;
export const byteSize = makeExactValidator<number>((text) => {
  const bytes = bytesOf(text);
  if (!(bytes > 0 && bytes <= MAX_BODY_SIZE)) {
    throw new Error('must be a size up to 8mb, such as 100kb, 1mb or a number of bytes');
  }
  return bytes;
});
