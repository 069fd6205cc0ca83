/**
 * The classes of server errors, from the references of MySQL 8 and MariaDB 10.11, without those that only a wrong statement
 * causes. By number, because mysql2 lacks names for MariaDB's own errors, or calls them by names of MySQL.
 */
export const SERVER_ERRORS = {
  unreached: [
    1040, // too many connections
    1041, // out of resources
    1042, // the address of the client cannot be resolved
    1043, // bad handshake
    1129, // the client's host is blocked after many bad handshakes
    1135, // no thread can be created
    1203, // too many connections of this user
    1226, // the user has used up a limit of its own
    2002, // from a proxy, as the next two: no connection
    2003,
    2005,
    9001, // ProxySQL: no connection in time
  ],
  refused: [
    1047, // Galera: the node is not part of its cluster
    1290, // an option of the server prevents it; which one, its message says
    3032, // MySQL: offline mode
    3100, // MySQL: group replication cannot take the transaction
    3168, // MySQL: not available yet
    3781, // MySQL, as the next two: group replication without its primary
    3782,
    3783,
  ],
  read_only: [
    1036, // the table
    1792, // transactions
    1836, // the server
    1874, // InnoDB
    1881, // InnoDB's recovery is forced
  ],
  conflict: [
    1020, // the row has changed since it was read
    1213, // deadlock; on Galera also a conflict with another node, reported at COMMIT at the latest
    1614, // deadlock of an XA transaction
    3101, // MySQL: a conflict with another member of the group
  ],
  rolled_back: [
    1028, // sorting was aborted
    1037, // out of memory, as the next one
    1038,
    1105, // an error that has no number of its own
    1205, // a lock was not free in time
    1206, // no room for more locks
    1297, // a temporary error of a storage engine
    1317, // KILL QUERY
    1402, // an XA transaction, also 1613
    1412, // the table has just been altered
    1461, // too many prepared statements
    1613,
    1615, // a prepared statement has to be prepared again
    1637, // too many transactions
    1689, // it gave way to somebody who locks the table
    1969, // MariaDB: max_statement_time
    3015, // out of memory, as the next but one
    3024, // MySQL: max_execution_time
    3044,
    3572, // a lock was not free at once
  ],
  lost: [
    1053, // shutdown, as the next two
    1077,
    1079,
    1080, // the server closes or cannot use the connection, as the next eight
    1152,
    1154,
    1155,
    1156,
    1157,
    1158,
    1159,
    1160,
    1161,
    1180, // COMMIT failed, and it is not said how far it came; so did ROLLBACK, or the log
    1181,
    1182,
    1184, // the server closes the connection
    1835, // malformed packet
    1927, // MariaDB: KILL CONNECTION
    2006, // from a proxy, as the next two: connection lost
    2013,
    2055,
    3169, // MySQL: KILL CONNECTION
    4031, // MySQL: too long without a statement
  ],
  full: [
    1021, // disk
    1114, // table
    3019, // undo log
    3675, // MySQL: disk
    4139, // MariaDB: file of an index
  ],
  too_large: [
    1104, // max_join_size
    1119, // the stack of a thread, as 1436
    1153, // max_allowed_packet
    1162, // max_allowed_packet, of a result
    1197, // max_binlog_cache_size
    1436,
    1705, // max_binlog_stmt_cache_size
    3231, // MySQL: group replication's limit of a transaction
  ],
  denied: [
    1044, // the database, as the next but one
    1045, // the password or the user
    1046, // the database was dropped
    1049, // the database does not exist
    1130, // the host of the client
    1142, // the table
    1143, // the column
    1227, // a privilege
    1251, // the kind of password, also 1275 and 1524
    1275,
    1370, // the routine
    1449, // the definer of a trigger does not exist
    1524,
    1698, // no password
    1820, // the password has expired, as the next one
    1862,
    1873, // to be another user
    3118, // MySQL: the account is locked
    3159, // MySQL: no TLS
    4150, // MariaDB: too many wrong passwords
    4151, // MariaDB: the account is locked
  ],
  damaged: [
    // A file cannot be created, deleted, found, locked, opened, read, renamed or written.
    1004, 1005, 1011, 1013, 1015, 1016, 1017, 1018, 1023, 1024, 1025, 1026, 1027, 1039, 1376, 3000,
    // A table, an index or a tablespace is missing or crashed.
    1012, 1032, 1033, 1034, 1035, 1146, 1194, 1195, 1547, 1548, 1712, 1728, 1805, 1812, 1814, 1817, 1877,
    1932,
    // A storage engine is missing or fails, as do its key ring, its counter and the binary log.
    1030, 1286, 1296, 1467, 1598, 3003, 3185, 4182,
  ],
} as const;
