-- What version 1.1 wrote into tables of version 1.0.
INSERT INTO migrations (id, timestamp, name) VALUES (9,1795316400000,'CreateJobs1795316400000');
INSERT INTO migrations (id, timestamp, name) VALUES (10,1795359600000,'CreateReplicas1795359600000');
INSERT INTO orders (id, pet_id, status, placed_at) VALUES (2,2,'delivered',1795782482228);
