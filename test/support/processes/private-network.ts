import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { keepProcess } from './keeper.js';
import { programPath } from './local-program.js';

/** A separate host on the network: a network namespace, which exists as long as a process in it. */
interface Host {
  readonly address: string;
  /** The prefix that makes a command run on this host. */
  readonly command: readonly string[];
}

/** Addresses that no real network has (RFC 2544, section C.2.2); the third number is random. */
const PREFIX = '198.18';
const SWITCH = 'switch';

/**
 * Hosts on one switch, each reachable from this machine, which can be cut off from each other. The network consists of unnamed
 * namespaces: it is gone when the processes that hold them have ended, however the tests end.
 */
export class PrivateNetwork {
  private constructor(
    readonly hosts: readonly Host[],
    private readonly holders: readonly { kill(signal: 'SIGKILL'): boolean }[],
  ) {}

  /** Whether a network can be created on this machine; that needs root or equivalent privileges. */
  static isPossible(): boolean {
    if (['ip', 'nsenter', 'unshare'].some((program) => programPath(program) === undefined)) return false;
    try {
      run(['unshare', '--net', programPath('ip')!, 'link', 'add', SWITCH, 'type', 'bridge']);
      return true;
    } catch {
      return false;
    }
  }

  static async create(size: number): Promise<PrivateNetwork> {
    const subnet = `${PREFIX}.${Math.floor(Math.random() * 256)}`;
    const holders = await Promise.all(Array.from({ length: size + 1 }, hold));
    const [own, ...others] = holders;
    const [here, ...there] = holders.map(({ pid }) => inside(pid!));
    const link = `pst${own!.pid}`;
    ip(here!, 'link', 'add', SWITCH, 'type', 'bridge');
    ip(here!, 'link', 'set', SWITCH, 'up');
    // One veth pair to this machine, and one to each host.
    ip([], 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'port0', 'netns', String(own!.pid));
    ip([], 'addr', 'add', `${subnet}.1/24`, 'dev', link);
    ip([], 'link', 'set', link, 'up');
    ip(here!, 'link', 'set', 'port0', 'master', SWITCH, 'up');
    const hosts = there.map((command, i) => {
      const [port, address] = [`port${i + 1}`, `${subnet}.${i + 11}`];
      const { pid } = others[i]!;
      ip(here!, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
      ip(here!, 'link', 'set', port, 'master', SWITCH, 'up');
      ip(command, 'link', 'set', 'lo', 'up');
      ip(command, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      ip(command, 'link', 'set', 'eth0', 'up');
      return { address, command };
    });
    return new PrivateNetwork(hosts, holders);
  }

  /** From now on all packets between these two hosts are dropped. This machine still reaches both. */
  cut(one: number, other: number): void {
    this.#route('add', one, other);
  }

  heal(one: number, other: number): void {
    this.#route('del', one, other);
  }

  remove(): void {
    for (const holder of this.holders) holder.kill('SIGKILL');
  }

  #route(act: 'add' | 'del', one: number, other: number): void {
    const [a, b] = [this.hosts[one]!, this.hosts[other]!];
    ip(a.command, 'route', act, 'blackhole', `${b.address}/32`);
    ip(b.command, 'route', act, 'blackhole', `${a.address}/32`);
  }
}

async function hold() {
  const script = 'echo ready; exec sleep infinity';
  const holder = spawn('unshare', ['--net', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  keepProcess(holder.pid!, once(holder, 'exit'));
  await once(holder.stdout, 'data');
  return holder;
}

const inside = (pid: number) => ['nsenter', '--target', String(pid), '--net', '--'];

const ip = (before: readonly string[], ...args: string[]) => run([...before, programPath('ip')!, ...args]);

function run([program, ...args]: string[]): void {
  execFileSync(program!, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
