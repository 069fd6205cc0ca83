-- The tables that a database of version 1.1 (commit 5882406) has and one of version 1.0 has not, as its migrations for MariaDB made them.
CREATE TABLE `jobs` (
  `name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `due_at` bigint(20) NOT NULL,
  `lease` bigint(20) NOT NULL,
  `lapses_at` bigint(20) NOT NULL,
  `begun_at` bigint(20) DEFAULT NULL,
  `ended_at` bigint(20) DEFAULT NULL,
  `duration` bigint(20) DEFAULT NULL,
  `failures` int(11) NOT NULL,
  `failed_at` bigint(20) DEFAULT NULL,
  `problem` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `replicas` (
  `id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `place` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `newest_migration` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `seen_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `replicas_by_seen_at` (`seen_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
