// Preloaded into a service whose memory is measured: SIGURG collects garbage at once, not some time later.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGURG', () => {
  collect();
  collect();
});
