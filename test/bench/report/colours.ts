import type { ServerName } from '../servers/servers.js';
import { element, text } from './svg.js';

/** Distinguishable with any kind of colour vision, on white and on black; after Okabe and Ito. */
export const COLOURS: Record<ServerName, string> = {
  service: '#0a84d6',
  'node-http': '#8c959f',
  fastify: '#00a37a',
  express: '#e69f00',
  'nest-fastify': '#b07cc6',
  nest: '#d55e6f',
};

const WIDTH = 140;

/** A line that names each colour. */
export function legend(whose: readonly { title: string; colour: string }[], x = 16, y = 52): string[] {
  return whose.flatMap(({ title, colour }, i) => [
    element('rect', { x: x + i * WIDTH, y: y - 10, width: 11, height: 11, rx: 2, fill: colour }),
    text(x + i * WIDTH + 16, y, title),
  ]);
}
