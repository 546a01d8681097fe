-- Several networks over which USDT is paid: everything that is read of one is named by it. So far there was only TRC20.
ALTER TABLE "top_ups" ADD COLUMN "network" TEXT NOT NULL DEFAULT 'TRC20';
DROP INDEX "top_ups_locks";
DROP INDEX "top_ups_wallet_contract_pay_units_created_at_idx";
DROP INDEX "top_ups_confirming";
CREATE UNIQUE INDEX "top_ups_locks" ON "top_ups"("wallet", "contract", "pay_units", "network") WHERE released_at IS NULL;
CREATE INDEX "top_ups_wallet_contract_pay_units_created_at_network_idx" ON "top_ups"("wallet", "contract", "pay_units", "created_at", "network");
CREATE INDEX "top_ups_confirming" ON "top_ups"("seen_txid", "network") WHERE status = 'confirming';

ALTER TABLE "chain_scans" ADD COLUMN "network" TEXT NOT NULL DEFAULT 'TRC20';
ALTER TABLE "chain_scans" ADD COLUMN "cursor" TEXT;
DROP INDEX "chain_scans_wallet_contract_key";
CREATE UNIQUE INDEX "chain_scans_wallet_contract_network_key" ON "chain_scans"("wallet", "contract", "network");

-- The table is made anew, because its check says how the transactions of TRON are named. The claims, which lead into it, step aside.
CREATE TABLE "kept_transfer_claims" AS SELECT * FROM "transfer_claims";
DROP TABLE "transfer_claims";
CREATE TABLE "new_usdt_transfers" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "network" TEXT NOT NULL DEFAULT 'TRC20',
    "txid" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "wallet" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "from_address" TEXT NOT NULL,
    "units" TEXT NOT NULL,
    "raw" TEXT,
    "block_number" INTEGER NOT NULL,
    "block_time" DATETIME NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "top_up_id" INTEGER,
    "note" TEXT NOT NULL DEFAULT '',
    "resolved_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "usdt_transfers_top_up_id_fkey" FOREIGN KEY ("top_up_id") REFERENCES "top_ups" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (length("txid") BETWEEN 1 AND 200),
    CHECK ("units" <> '' AND "units" NOT GLOB '*[^0-9]*'),
    CHECK ("raw" <> '' AND "raw" NOT GLOB '*[^0-9]*'),
    CHECK ("state" IN ('matched', 'unmatched', 'ignored', 'refunded')),
    CHECK (("state" = 'matched') = ("top_up_id" IS NOT NULL))
);
INSERT INTO "new_usdt_transfers" (
    "id", "txid", "log_index", "wallet", "contract", "from_address", "units", "block_number", "block_time", "state", "reason",
    "top_up_id", "note", "resolved_at", "created_at")
SELECT
    "id", "txid", "log_index", "wallet", "contract", "from_address", "units", "block_number", "block_time", "state", "reason",
    "top_up_id", "note", "resolved_at", "created_at"
FROM "usdt_transfers" ORDER BY "id";
DROP TABLE "usdt_transfers";
ALTER TABLE "new_usdt_transfers" RENAME TO "usdt_transfers";
CREATE INDEX "usdt_transfers_top_up_id_idx" ON "usdt_transfers"("top_up_id");
CREATE INDEX "usdt_transfers_unmatched" ON "usdt_transfers"("id") WHERE state = 'unmatched';
CREATE INDEX "usdt_transfers_wallet_network_block_time_idx" ON "usdt_transfers"("wallet", "network", "block_time");
CREATE INDEX "usdt_transfers_from_address_network_idx" ON "usdt_transfers"("from_address", "network");
CREATE UNIQUE INDEX "usdt_transfers_txid_log_index_network_key" ON "usdt_transfers"("txid", "log_index", "network");
CREATE UNIQUE INDEX "usdt_transfers_matched" ON "usdt_transfers"("top_up_id") WHERE resolved_at IS NULL;
CREATE TRIGGER "usdt_transfers_no_delete" BEFORE DELETE ON "usdt_transfers"
BEGIN
    SELECT RAISE(ABORT, 'transfers are never deleted');
END;
CREATE TRIGGER "usdt_transfers_keep" BEFORE UPDATE ON "usdt_transfers"
WHEN NEW."network" <> OLD."network" OR NEW."txid" <> OLD."txid" OR NEW."log_index" <> OLD."log_index" OR NEW."units" <> OLD."units"
    OR NEW."raw" IS NOT OLD."raw" OR OLD."state" = 'matched'
BEGIN
    SELECT RAISE(ABORT, 'a transfer is what the chain says, and is credited once');
END;

CREATE TABLE "transfer_claims" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "transfer_id" INTEGER NOT NULL,
    "top_up_id" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "transfer_claims_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "usdt_transfers" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "transfer_claims_top_up_id_fkey" FOREIGN KEY ("top_up_id") REFERENCES "top_ups" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
INSERT INTO "transfer_claims" ("id", "transfer_id", "top_up_id", "created_at")
SELECT "id", "transfer_id", "top_up_id", "created_at" FROM "kept_transfer_claims" ORDER BY "id";
DROP TABLE "kept_transfer_claims";
CREATE INDEX "transfer_claims_top_up_id_idx" ON "transfer_claims"("top_up_id");
CREATE UNIQUE INDEX "transfer_claims_transfer_id_top_up_id_key" ON "transfer_claims"("transfer_id", "top_up_id");

-- What takes the place of chain_candidates and named_transactions, which the next version drops.
CREATE TABLE "listed_transactions" (
    "network" TEXT NOT NULL,
    "txid" TEXT NOT NULL,
    "wallet" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "block_time" DATETIME NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "checks" INTEGER NOT NULL DEFAULT 0,
    "next_check_at" DATETIME NOT NULL,
    "created_at" DATETIME NOT NULL,
    PRIMARY KEY ("txid", "network"),
    CHECK ("state" IN ('waiting', 'done', 'vanished'))
);
INSERT INTO "listed_transactions" (
    "network", "txid", "wallet", "contract", "block_time", "state", "checks", "next_check_at", "created_at")
SELECT 'TRC20', "txid", "wallet", "contract", "block_time", "state", "checks", "next_check_at", "created_at" FROM "chain_candidates";
CREATE INDEX "listed_transactions_due" ON "listed_transactions"("next_check_at") WHERE state = 'waiting';
CREATE INDEX "listed_transactions_block_time_idx" ON "listed_transactions"("block_time");

CREATE TABLE "looked_up_transactions" (
    "network" TEXT NOT NULL,
    "txid" TEXT NOT NULL,
    "answer" TEXT,
    "asked_at" DATETIME NOT NULL,
    PRIMARY KEY ("txid", "network"),
    CHECK (length("txid") BETWEEN 1 AND 200),
    CHECK ("answer" IN ('unknown', 'unconfirmed', 'failed', 'other_token', 'other_address', 'too_old', 'booked'))
);
INSERT INTO "looked_up_transactions" ("network", "txid", "answer", "asked_at")
SELECT 'TRC20', "txid", "answer", "asked_at" FROM "named_transactions";
CREATE INDEX "looked_up_transactions_asked_at_idx" ON "looked_up_transactions"("asked_at");
