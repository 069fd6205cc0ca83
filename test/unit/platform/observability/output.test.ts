import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { Output, outputDropped } from '../../../../src/platform/observability/logging/output.js';
import { eventually } from '../../../support/eventually.js';

const TEXT = `${'x'.repeat(99_999)}\n`;

it('the output buffers a limited amount for a slow reader, counts the rest, and reports how much is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-output-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY);
  let dropped = 0;
  const count = () => void (dropped += 1);
  outputDropped.subscribe(count);
  onTestFinished(() => {
    outputDropped.unsubscribe(count);
    closeSync(reading);
    rmSync(folder, { recursive: true });
  });
  const told: unknown[] = [];
  const stream = Object.assign(new PassThrough(), { fd, isTTY: false }) as unknown as typeof process.stderr;
  const output = new Output(stream, (...flow) => told.push(flow));

  for (let i = 0; i < 100; i++) output.write(TEXT);
  // The buffer holds 4 MiB, in addition to the buffer of the pipe.
  expect(dropped).toBeGreaterThan(50);
  expect(dropped).toBeLessThan(60);
  await output.flushed();

  const chunk = Buffer.alloc(1_000_000);
  let read = 0;
  await eventually(async () => {
    read += readSync(reading, chunk);
    return read === (100 - dropped) * TEXT.length;
  });
  await eventually(async () => told.length > 0);
  expect(told).toEqual([[dropped, 'nobody reads it']]);
});

it('a terminal that fails again and again gets no additional listener each time', async () => {
  const stream = Object.assign(new PassThrough(), { fd: 2, isTTY: true }) as unknown as typeof process.stderr;
  const output = new Output(stream);
  output.write('first\n');
  const listeners = stream.listenerCount('error');
  for (let i = 0; i < 3; i++) {
    stream.emit('error', new Error('EIO'));
    const begun = performance.now();
    await eventually(async () => performance.now() - begun > 100);
    output.write('again\n');
  }
  expect(stream.listenerCount('error')).toBe(listeners);
});
