-- Several servers: one of them scans the chain, the others ask it to, and read how the last scan has ended.
ALTER TABLE "chain_scans" ADD COLUMN "scans" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "chain_scans" ADD COLUMN "wanted_scan" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "chain_scans" ADD COLUMN "fault" TEXT COLLATE "C";
