-- Several networks over which USDT is paid: everything that is read of one is named by it. So far there was only TRC20.
ALTER TABLE "top_ups" ADD COLUMN "network" TEXT COLLATE "C" NOT NULL DEFAULT 'TRC20';
-- contract: the one below is the same for the only network that the version before writes
DROP INDEX "top_ups_locks";
-- contract: the one below begins with the same columns
DROP INDEX "top_ups_wallet_contract_pay_units_created_at_idx";
-- contract: the one below begins with the same column
DROP INDEX "top_ups_confirming";
-- contract: for the only network that the version before writes it is as the one before it
CREATE UNIQUE INDEX "top_ups_locks" ON "top_ups"("wallet", "contract", "pay_units", "network") WHERE released_at IS NULL;
CREATE INDEX "top_ups_wallet_contract_pay_units_created_at_network_idx" ON "top_ups"("wallet", "contract", "pay_units", "created_at", "network");
CREATE INDEX "top_ups_confirming" ON "top_ups"("seen_txid", "network") WHERE status = 'confirming';

ALTER TABLE "chain_scans" ADD COLUMN "network" TEXT COLLATE "C" NOT NULL DEFAULT 'TRC20';
ALTER TABLE "chain_scans" ADD COLUMN "cursor" TEXT COLLATE "C";
-- contract: the one below is the same for the only network that the version before writes
DROP INDEX "chain_scans_wallet_contract_key";
-- contract: for the only network that the version before writes it is as the one before it
CREATE UNIQUE INDEX "chain_scans_wallet_contract_network_key" ON "chain_scans"("wallet", "contract", "network");

ALTER TABLE "usdt_transfers" ADD COLUMN "network" TEXT COLLATE "C" NOT NULL DEFAULT 'TRC20';
-- contract: a column that may be missing
ALTER TABLE "usdt_transfers" ADD COLUMN "raw" TEXT COLLATE "C" CHECK ("raw" ~ '^[0-9]+$');
-- contract: what the version before writes keeps to the wider one below
ALTER TABLE "usdt_transfers" DROP CONSTRAINT "usdt_transfers_txid_check";
-- contract: what the version before writes, and what is there, keeps to it
ALTER TABLE "usdt_transfers" ADD CONSTRAINT "usdt_transfers_txid_check" CHECK (length("txid") BETWEEN 1 AND 200) NOT VALID;
-- contract: the one below begins with the same columns
DROP INDEX "usdt_transfers_txid_log_index_key";
-- contract: the one below begins with the same column
DROP INDEX "usdt_transfers_wallet_block_time_idx";
-- contract: the one below begins with the same column
DROP INDEX "usdt_transfers_from_address_idx";
-- contract: for the only network that the version before writes it is as the one before it
CREATE UNIQUE INDEX "usdt_transfers_txid_log_index_network_key" ON "usdt_transfers"("txid", "log_index", "network");
CREATE INDEX "usdt_transfers_wallet_network_block_time_idx" ON "usdt_transfers"("wallet", "network", "block_time");
CREATE INDEX "usdt_transfers_from_address_network_idx" ON "usdt_transfers"("from_address", "network");
-- contract: the version before never changes the new columns
DROP TRIGGER "usdt_transfers_keep" ON "usdt_transfers";
-- contract: the version before never changes the new columns
CREATE TRIGGER "usdt_transfers_keep" BEFORE UPDATE ON "usdt_transfers" FOR EACH ROW
    WHEN (NEW."network" <> OLD."network" OR NEW."txid" <> OLD."txid" OR NEW."log_index" <> OLD."log_index" OR NEW."units" <> OLD."units"
    OR NEW."raw" IS DISTINCT FROM OLD."raw" OR OLD."state" = 'matched')
    EXECUTE FUNCTION refuse('a transfer is what the chain says, and is credited once');

-- What takes the place of chain_candidates and named_transactions, in which the version before goes on: what it still lists there, a scan
-- of this one lists again. The next version drops them.
CREATE TABLE "listed_transactions" (
    "network" TEXT COLLATE "C" NOT NULL,
    "txid" TEXT COLLATE "C" NOT NULL,
    "wallet" TEXT COLLATE "C" NOT NULL,
    "contract" TEXT COLLATE "C" NOT NULL,
    "block_time" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL DEFAULT 'waiting',
    "checks" BIGINT NOT NULL DEFAULT 0,
    "next_check_at" TEXT COLLATE "C" NOT NULL,
    "created_at" TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY ("txid", "network"),
    CHECK ("state" IN ('waiting', 'done', 'vanished'))
);
INSERT INTO "listed_transactions" (
    "network", "txid", "wallet", "contract", "block_time", "state", "checks", "next_check_at", "created_at")
SELECT 'TRC20', "txid", "wallet", "contract", "block_time", "state", "checks", "next_check_at", "created_at" FROM "chain_candidates";
CREATE INDEX "listed_transactions_due" ON "listed_transactions"("next_check_at") WHERE state = 'waiting';
CREATE INDEX "listed_transactions_block_time_idx" ON "listed_transactions"("block_time");

CREATE TABLE "looked_up_transactions" (
    "network" TEXT COLLATE "C" NOT NULL,
    "txid" TEXT COLLATE "C" NOT NULL,
    "answer" TEXT COLLATE "C",
    "asked_at" TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY ("txid", "network"),
    CHECK (length("txid") BETWEEN 1 AND 200),
    CHECK ("answer" IN ('unknown', 'unconfirmed', 'failed', 'other_token', 'other_address', 'too_old', 'booked'))
);
INSERT INTO "looked_up_transactions" ("network", "txid", "answer", "asked_at")
SELECT 'TRC20', "txid", "answer", "asked_at" FROM "named_transactions";
CREATE INDEX "looked_up_transactions_asked_at_idx" ON "looked_up_transactions"("asked_at");
