-- A database of version 1.1 (commit 5882406), as its migrations for MariaDB made it. Never edited.
CREATE TABLE `api_key_events` (
  `id` bigint(20) NOT NULL,
  `key_id` bigint(20) NOT NULL,
  `act` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `actor` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `api_key_events_by_key` (`key_id`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `api_keys` (
  `id` bigint(20) NOT NULL,
  `name` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `secret_hash` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `scopes` varchar(1000) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `rate` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `revoked_at` bigint(20) DEFAULT NULL,
  `rotated_at` bigint(20) DEFAULT NULL,
  `last_used_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `secret_hash` (`secret_hash`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `deprecated_uses` (
  `operation` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `key_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `day` char(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `uses` bigint(20) NOT NULL,
  `last_used_at` bigint(20) NOT NULL,
  PRIMARY KEY (`operation`,`key_id`,`day`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `imports` (
  `contents` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `last_line` bigint(20) NOT NULL,
  `added` bigint(20) NOT NULL,
  `refused` bigint(20) NOT NULL,
  `begun_at` bigint(20) NOT NULL,
  `changed_at` bigint(20) NOT NULL,
  PRIMARY KEY (`contents`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
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
CREATE TABLE `migration_lease` (
  `id` int(11) NOT NULL,
  `holder` varchar(64) NOT NULL,
  `lapses_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `migrations` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `timestamp` bigint(20) NOT NULL,
  `name` varchar(255) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=11 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `orders` (
  `id` bigint(20) NOT NULL,
  `pet_id` bigint(20) NOT NULL,
  `status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `placed_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `orders_by_status` (`status`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `outbox` (
  `id` bigint(20) NOT NULL,
  `subscriber` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `thing` varchar(96) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `position` bigint(20) NOT NULL,
  `kind` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `facts` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `recorded_at` bigint(20) NOT NULL,
  `next_try_at` bigint(20) NOT NULL,
  `failures` int(11) NOT NULL,
  `problem` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `outbox_in_order` (`subscriber`,`thing`,`position`),
  KEY `outbox_by_time` (`next_try_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `pets` (
  `id` bigint(20) NOT NULL,
  `name` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `category_id` bigint(20) NOT NULL,
  `status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (`id`),
  KEY `pets_by_status` (`status`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `replicas` (
  `id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `place` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `newest_migration` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `seen_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `replicas_by_seen_at` (`seen_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `sequences` (
  `name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `next_id` bigint(20) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
CREATE TABLE `stored_answers` (
  `caller` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `operation` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `idempotency_key` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `body_hash` char(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `answer` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `expires_at` bigint(20) NOT NULL,
  PRIMARY KEY (`caller`,`operation`,`idempotency_key`),
  KEY `stored_answers_by_expiry` (`expires_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
