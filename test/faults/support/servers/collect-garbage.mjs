// Loaded into a service whose memory is measured: what nobody needs any more goes when SIGURG comes, not some time later.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGURG', () => {
  collect();
  collect();
});
