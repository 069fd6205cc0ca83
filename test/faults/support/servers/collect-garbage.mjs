// Preloaded into a service whose memory is measured: SIGURG collects garbage at once, not some time later, and prints how much is used.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGURG', () => {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`${heapUsed + external} bytes are used\n`);
});
