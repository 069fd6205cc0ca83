import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../../config/settings.js';
import { Check, type CheckResult, ok, problem, warning } from '../../doctor/check.js';

/** The number of connections kept free for people, commands and backups. */
const RESERVED = 10;

/** Whether the server has enough connections for all replicas. Their number is known to the server. */
@Injectable()
export class ConnectionsCheck extends Check {
  readonly name = 'connections';
  readonly needs = 'database';

  constructor(
    private readonly source: DataSource,
    private readonly settings: Settings,
  ) {
    super();
  }

  override async run(): Promise<CheckResult[]> {
    if (this.source.options.type !== 'mysql') return [];
    const [limits] = await this.source.query<{ server: string | number; user: string | number }[]>(
      'SELECT @@GLOBAL.max_connections AS server, @@SESSION.max_user_connections AS user',
    );
    // Without the privilege PROCESS a user sees only its own connections, which is enough.
    const open = await this.source.query<{ User: string; Host: string }[]>('SHOW PROCESSLIST');
    const [me] = await this.source.query<{ name: string }[]>(
      "SELECT SUBSTRING_INDEX(USER(), '@', 1) AS name",
    );
    const ours = open.filter(({ User }) => User === me!.name);
    return [
      evaluateConnections({
        server: Number(limits!.server),
        user: Number(limits!.user),
        open: ours.length,
        machines: new Set(ours.map(({ Host }) => Host.replace(/:\d+$/, ''))).size,
        ...this.settings,
      }),
    ];
  }
}

interface Connections {
  /** The limits of the server as a whole and of the user; 0 means that the user has no limit of its own. */
  readonly server: number;
  readonly user: number;
  /** The user's open connections, and the number of machines that they come from. */
  readonly open: number;
  readonly machines: number;
  readonly workers: number;
  readonly databasePoolSize: number;
}

export function evaluateConnections(of: Connections): CheckResult {
  const replica = of.workers * of.databasePoolSize;
  const limit = of.server - RESERVED;
  const [name, most] =
    of.user > 0 && of.user < limit ? ['max_user_connections', of.user] : ['max_connections', limit];
  const room = Math.floor(most / replica);
  const kept =
    name === 'max_connections' ? `${of.server}, of which ${RESERVED} are kept for people and commands` : most;
  const what =
    `${name} is ${kept}: room for ${room} ${room === 1 ? 'replica' : 'replicas'} with ${replica} each (WORKERS x DB_POOL_SIZE). ` +
    `${of.open} are open, from ${of.machines} ${of.machines === 1 ? 'machine' : 'machines'}.`;
  const remedy = `Raise ${name}, or lower DB_POOL_SIZE or WORKERS, until replicas x WORKERS x DB_POOL_SIZE fit in.`;
  if (room === 0) return problem(what, remedy);
  return of.machines > room ? warning(what, remedy) : ok(what);
}
