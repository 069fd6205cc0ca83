// Starts a program under node:cluster, as pm2 does, once or several times. It passes SIGTERM on, and ends like the last program.
import cluster from 'node:cluster';

const [, , exec, count = '1'] = process.argv;
cluster.setupPrimary({ exec, args: [] });
for (let i = 0; i < Number(count); i++) cluster.fork();
process.on('SIGTERM', () => {
  for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGTERM');
});
cluster.on('exit', (_, code) => (process.exitCode = code ?? 128));
