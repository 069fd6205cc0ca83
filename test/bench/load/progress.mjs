import { Presets, SingleBar } from 'cli-progress';

/** Shows a bar on a terminal, otherwise a line per tenth. */
export function showProgress(total) {
  if (!process.stderr.isTTY) {
    let tenths = 0;
    return {
      at(done) {
        const reached = Math.floor((done / total) * 10);
        if (reached > tenths) console.error(`${done} of ${total} animals`);
        tenths = reached;
      },
      end() {},
    };
  }
  const format = 'loading {bar} {percentage}% | {value} of {total} | {eta_formatted} left';
  const bar = new SingleBar({ format }, Presets.shades_classic);
  bar.start(total, 0);
  return { at: (done) => bar.update(done), end: () => bar.stop() };
}
