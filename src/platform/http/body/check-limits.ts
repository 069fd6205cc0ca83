import { BadConfiguration } from '../../config/settings.js';
import { nameOfHandler, type Route } from '../routes/routes.js';

const MB = 1024 * 1024;

/**
 * Checks the limits of bodies, in bytes. `ofService` is the limit of routes without `@BodyLimit`, and `ofProcess` is the limit of the
 * bodies of all requests together. @throws BadConfiguration with a line for each limit that cannot be used
 */
export function checkBodyLimits(routes: readonly Route[], ofService: number, ofProcess: number): void {
  const mistakes = routes.flatMap((route) => {
    if (!route.bodyLimit) return [];
    const { size, bytes, values } = route.bodyLimit;
    const name = `@BodyLimit on ${nameOfHandler(route)}`;
    return [
      ...(bytes > 0 ? beyond(`${name} is ${size}`, bytes, ofProcess) : [malformedSize(name, size)]),
      ...(values === undefined || (Number.isInteger(values) && values > 0)
        ? []
        : [malformedCount(name, values)]),
    ];
  });
  mistakes.unshift(...beyond(`BODY_LIMIT is ${inMegabytes(ofService)}`, ofService, ofProcess));
  if (mistakes.length > 0) throw new BadConfiguration(mistakes.join('\n'));
}

function beyond(what: string, bytes: number, ofProcess: number): string[] {
  if (bytes <= ofProcess) return [];
  const heap = Math.ceil((4 * bytes) / MB);
  return [
    `${what}, but all bodies together may hold ${inMegabytes(ofProcess)}, a quarter of the heap. Lower the limit, or raise the ` +
      `heap with NODE_OPTIONS=--max-old-space-size=${heap}.`,
  ];
}

const inMegabytes = (bytes: number) => `${Math.floor((bytes / MB) * 10) / 10} MB`;

const malformedSize = (name: string, size: string) =>
  `${name} has the size "${size}". Write a number of bytes, or a number with kb or mb, such as 100kb or 2mb.`;

const malformedCount = (name: string, values: number) =>
  `${name} has ${values} values. Write a whole number above 0.`;
