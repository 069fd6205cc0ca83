import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { DatabaseUrl } from '../../config/database-url.js';
import { Settings } from '../../config/settings.js';
import { Check, type CheckResult, ok, problem, warning } from '../../doctor/check.js';

const MB = 1_000_000;
/** The free bytes below which the check warns, or reports a problem. */
const WARNING_BYTES = 1_000 * MB;
const PROBLEM_BYTES = 100 * MB;

/** Whether the database can be opened without creating it: it is a server, or an existing file. */
export const exists = (url: DatabaseUrl): boolean =>
  url.engine === 'mysql' || url.file === ':memory:' || existsSync(url.file);

/** Whether a SQLite file exists, is writable, and has room to grow. */
@Injectable()
export class SqliteFileCheck extends Check {
  readonly name = 'disk';
  readonly needs = 'nothing';

  constructor(private readonly settings: Settings) {
    super();
  }

  override async run(): Promise<CheckResult[]> {
    const { database } = this.settings;
    if (database.engine !== 'sqlite' || database.file === ':memory:') return [];
    const file = resolve(database.file);
    if (!exists(database)) {
      const what = `The file ${file} does not exist. The first start creates it.`;
      return [problem(what, 'Start the service or run "petstore db migrate", or look at DATABASE_URL.')];
    }
    const folder = dirname(file);
    try {
      for (const path of [file, folder]) await access(path, constants.R_OK | constants.W_OK);
    } catch {
      return [problem(`${file} or its folder is not writable.`, 'Give this user write permission.')];
    }
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const what = `${Math.floor(free / MB)} MB are free in ${folder}.`;
    if (free >= WARNING_BYTES) return [ok(what)];
    const remedy = 'Free some space: on a full disk every write fails.';
    return [free < PROBLEM_BYTES ? problem(what, remedy) : warning(what, remedy)];
  }
}
