// node commands.mjs '[{"url": "sqlite:...", "args": ["db", "migrate"]}, ...]': prints the result of each `petstore` command as a
// line of JSON. It runs the built program of the working directory, in one process: a start takes longer than most commands.
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const { runCommandLine } = await import(pathToFileURL(join(process.cwd(), 'dist/command-line.js')).href);
for (const { url, args } of JSON.parse(process.argv[2])) {
  let [output, stdout] = ['', ''];
  const writable = (note) => new Writable({ write: (chunk, _, done) => (note(chunk), done()) });
  const terminal = {
    env: { DATABASE_URL: url },
    stdin: Readable.from([]),
    stdout: writable((chunk) => ((output += chunk), (stdout += chunk))),
    stderr: writable((chunk) => (output += chunk)),
    signals: process,
  };
  const code = await runCommandLine(args, terminal);
  process.stdout.write(`${JSON.stringify({ code, output, stdout })}\n`);
}
process.exit();
