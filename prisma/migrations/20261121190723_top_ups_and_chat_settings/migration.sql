-- AlterTable
ALTER TABLE "traffic_moves" ADD COLUMN "request_key" TEXT;

-- CreateTable
CREATE TABLE "invites" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "token_hash" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "expires_at" DATETIME NOT NULL,
    "used_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "invites_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "broadcasts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "chat_id" BIGINT NOT NULL,
    "audience" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "created_at" DATETIME NOT NULL,
    "ended_at" DATETIME,
    CHECK ("audience" IN ('all', 'agents', 'users')),
    CHECK ("status" IN ('draft', 'sending', 'cancelled', 'done'))
);

-- CreateTable
CREATE TABLE "top_ups" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "order_no" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "client_order_no" TEXT,
    "wallet" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "amount_units" BIGINT NOT NULL,
    "pay_units" BIGINT NOT NULL,
    "rate" BIGINT NOT NULL,
    "credit_amount" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "late" BOOLEAN NOT NULL DEFAULT false,
    "manual" BOOLEAN NOT NULL DEFAULT false,
    "seen_txid" TEXT,
    "reference" TEXT,
    "expires_at" DATETIME NOT NULL,
    "match_until" DATETIME NOT NULL,
    "released_at" DATETIME,
    "cancelled_at" DATETIME,
    "paid_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "top_ups_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("amount_units") = 'integer' AND "amount_units" > 0),
    CHECK (typeof("pay_units") = 'integer' AND "pay_units" BETWEEN "amount_units" + 1 AND 1000000000000000),
    CHECK (typeof("rate") = 'integer' AND "rate" > 0),
    CHECK (typeof("credit_amount") = 'integer' AND "credit_amount" BETWEEN 0 AND 9000000000000000),
    CHECK ("status" IN ('pending', 'confirming', 'paid', 'expired', 'cancelled')),
    CHECK (("status" = 'paid') = ("paid_at" IS NOT NULL)),
    CHECK ("status" <> 'confirming' OR "seen_txid" IS NOT NULL)
);

-- CreateTable
CREATE TABLE "usdt_transfers" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "txid" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "wallet" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "from_address" TEXT NOT NULL,
    "units" TEXT NOT NULL,
    "block_number" INTEGER NOT NULL,
    "block_time" DATETIME NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "top_up_id" INTEGER,
    "note" TEXT NOT NULL DEFAULT '',
    "resolved_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "usdt_transfers_top_up_id_fkey" FOREIGN KEY ("top_up_id") REFERENCES "top_ups" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (length("txid") = 64 AND "txid" NOT GLOB '*[^0-9a-f]*'),
    CHECK ("units" <> '' AND "units" NOT GLOB '*[^0-9]*'),
    CHECK ("state" IN ('matched', 'unmatched', 'ignored', 'refunded')),
    CHECK (("state" = 'matched') = ("top_up_id" IS NOT NULL))
);

-- CreateTable
CREATE TABLE "chain_candidates" (
    "txid" TEXT NOT NULL PRIMARY KEY,
    "wallet" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "block_time" DATETIME NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "checks" INTEGER NOT NULL DEFAULT 0,
    "next_check_at" DATETIME NOT NULL,
    "created_at" DATETIME NOT NULL,
    CHECK ("state" IN ('waiting', 'done', 'vanished'))
);

-- CreateTable
CREATE TABLE "chain_scans" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "wallet" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "watermark" DATETIME NOT NULL,
    "last_success_at" DATETIME,
    "last_sweep_at" DATETIME,
    "balance_units" TEXT,
    "reconciled_at" DATETIME,
    "created_at" DATETIME NOT NULL
);

-- AlterTable
ALTER TABLE "chats" ADD COLUMN "proxy_format" TEXT NOT NULL DEFAULT 'colon';
ALTER TABLE "chats" ADD COLUMN "muted" TEXT NOT NULL DEFAULT '[]';
ALTER TABLE "chats" ADD COLUMN "follows" TEXT;
ALTER TABLE "chats" ADD COLUMN "draft" TEXT;

-- CreateIndex
CREATE INDEX "chats_follows_idx" ON "chats"("follows") WHERE follows IS NOT NULL;

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_notices" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "chat_id" BIGINT NOT NULL,
    "account_id" INTEGER,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "data" TEXT NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL DEFAULT 'pending',
    "created_at" DATETIME NOT NULL,
    "sent_at" DATETIME,
    CONSTRAINT "notices_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK ("status" IN ('pending', 'sent', 'blocked', 'void'))
);
INSERT INTO "new_notices" ("account_id", "chat_id", "created_at", "id", "kind", "sent_at", "status", "subject") SELECT "account_id", "chat_id", "created_at", "id", "kind", "sent_at", "status", "subject" FROM "notices";
DROP TABLE "notices";
ALTER TABLE "new_notices" RENAME TO "notices";
CREATE INDEX "notices_chat_id_status_idx" ON "notices"("chat_id", "status");
CREATE UNIQUE INDEX "notices_kind_subject_chat_id_key" ON "notices"("kind", "subject", "chat_id");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE UNIQUE INDEX "invites_token_hash_key" ON "invites"("token_hash");

-- CreateIndex
CREATE INDEX "invites_account_id_idx" ON "invites"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "top_ups_order_no_key" ON "top_ups"("order_no");

-- CreateIndex
CREATE INDEX "top_ups_wallet_contract_pay_units_created_at_idx" ON "top_ups"("wallet", "contract", "pay_units", "created_at");

-- CreateIndex
CREATE INDEX "top_ups_user_id_id_idx" ON "top_ups"("user_id", "id");

-- CreateIndex
CREATE INDEX "top_ups_user_id_created_at_idx" ON "top_ups"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "top_ups_to_expire" ON "top_ups"("expires_at") WHERE status = 'pending';

-- CreateIndex
CREATE INDEX "top_ups_to_release" ON "top_ups"("match_until") WHERE released_at IS NULL;

-- CreateIndex
CREATE INDEX "top_ups_confirming" ON "top_ups"("seen_txid") WHERE status = 'confirming';

-- CreateIndex
CREATE UNIQUE INDEX "top_ups_user_id_client_order_no_key" ON "top_ups"("user_id", "client_order_no");

-- CreateIndex
CREATE UNIQUE INDEX "top_ups_locks" ON "top_ups"("wallet", "contract", "pay_units") WHERE released_at IS NULL;

-- CreateIndex
CREATE INDEX "usdt_transfers_top_up_id_idx" ON "usdt_transfers"("top_up_id");

-- CreateIndex
CREATE INDEX "usdt_transfers_unmatched" ON "usdt_transfers"("id") WHERE state = 'unmatched';

-- CreateIndex
CREATE INDEX "usdt_transfers_wallet_block_time_idx" ON "usdt_transfers"("wallet", "block_time");

-- CreateIndex
CREATE UNIQUE INDEX "usdt_transfers_txid_log_index_key" ON "usdt_transfers"("txid", "log_index");

-- CreateIndex
CREATE UNIQUE INDEX "usdt_transfers_matched" ON "usdt_transfers"("top_up_id") WHERE resolved_at IS NULL;

-- CreateIndex
CREATE INDEX "chain_candidates_due" ON "chain_candidates"("next_check_at") WHERE state = 'waiting';

-- CreateIndex
CREATE INDEX "chain_candidates_block_time_idx" ON "chain_candidates"("block_time");

-- CreateIndex
CREATE UNIQUE INDEX "chain_scans_wallet_contract_key" ON "chain_scans"("wallet", "contract");

-- CreateIndex
CREATE UNIQUE INDEX "traffic_moves_request_key_key" ON "traffic_moves"("request_key");

-- By hand: what Prisma's schema cannot say. Repeat it when a later migration rebuilds one of these tables.

-- What the chain has said once is never unsaid: a transfer keeps its name and amount, and one that was credited stays so.
CREATE TRIGGER "usdt_transfers_no_delete" BEFORE DELETE ON "usdt_transfers"
BEGIN
    SELECT RAISE(ABORT, 'transfers are never deleted');
END;
CREATE TRIGGER "usdt_transfers_keep" BEFORE UPDATE ON "usdt_transfers"
WHEN NEW."txid" <> OLD."txid" OR NEW."log_index" <> OLD."log_index" OR NEW."units" <> OLD."units" OR OLD."state" = 'matched'
BEGIN
    SELECT RAISE(ABORT, 'a transfer is what the chain says, and is credited once');
END;
-- A payment ends a top-up for ever.
CREATE TRIGGER "top_ups_stay_paid" BEFORE UPDATE OF "status" ON "top_ups" WHEN OLD."status" = 'paid' AND NEW."status" <> 'paid'
BEGIN
    SELECT RAISE(ABORT, 'a paid top-up stays paid');
END;
