import type { JoiningDataSource } from '../data-source.js';

/** The privileges that the user needs to serve, and those to migrate. */
export const SERVING = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
export const MIGRATING = ['CREATE', 'ALTER', 'DROP', 'INDEX'];

export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

export const grant = (privileges: readonly string[], where: string, account: string): string =>
  `GRANT ${privileges.join(', ')} ON ${where} TO ${account};`;

/** How a server reports a statement that its user may not run. */
const DENIED = /\b([A-Z]+(?: [A-Z]+)*) command denied to user/;

/** The missing privilege in a server's message; undefined if the message is about something else. */
export const missingPrivilege = (reason: string): string | undefined => DENIED.exec(reason)?.[1];

/** The database and the account of a connection, as GRANT names them. A message has the client's address instead. */
export async function whoAndWhere(
  source: JoiningDataSource,
): Promise<{ readonly account: string; readonly database: string }> {
  const [row] = await source.query<{ account: string; name: string }[]>(
    'SELECT CURRENT_USER() AS account, DATABASE() AS name',
  );
  const at = row!.account.lastIndexOf('@');
  const account = [row!.account.slice(0, at), row!.account.slice(at + 1)].map((part) => `'${part}'`);
  return { account: account.join('@'), database: quoted(row!.name) };
}

/**
 * Which of these privileges on the whole database the user lacks; none if that is unknown, as for a user with roles. For
 * privileges that are in use, a statement without effect is a better test.
 */
export async function missingForAll(
  source: JoiningDataSource,
  privileges: readonly string[],
): Promise<string[]> {
  const { account } = await whoAndWhere(source);
  const rows = await source.query<{ privilege: string }[]>(
    `SELECT privilege_type AS privilege FROM information_schema.user_privileges WHERE grantee = ?
     UNION SELECT privilege_type FROM information_schema.schema_privileges
     WHERE grantee = ? AND DATABASE() LIKE table_schema
     UNION SELECT 'roles' FROM information_schema.applicable_roles`,
    [account, account],
  );
  const granted = rows.map(({ privilege }) => privilege);
  return granted.includes('roles') ? [] : privileges.filter((privilege) => !granted.includes(privilege));
}
