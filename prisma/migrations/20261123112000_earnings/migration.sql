-- Prices of agents, what they earn by them, and payouts.
-- CreateTable
CREATE TABLE "agent_prices" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "agent_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "product_id" INTEGER,
    "min_quantity" INTEGER NOT NULL DEFAULT 1,
    "markup_bps" INTEGER,
    "price" BIGINT,
    CONSTRAINT "agent_prices_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "agent_prices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "agent_prices_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CHECK ("min_quantity" >= 1),
    CHECK (("markup_bps" IS NULL) <> ("price" IS NULL)),
    CHECK ("markup_bps" IS NULL OR ("markup_bps" BETWEEN 0 AND 1000000 AND "min_quantity" = 1)),
    CHECK ("price" IS NULL OR ("product_id" IS NOT NULL AND typeof("price") = 'integer' AND "price" BETWEEN 0 AND 9000000000000000))
);

-- CreateTable
CREATE TABLE "earnings" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "source" TEXT NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "order_no" TEXT NOT NULL,
    "paid" BIGINT NOT NULL,
    "amount" BIGINT NOT NULL,
    "refunded" BIGINT NOT NULL DEFAULT 0,
    "reversed" BIGINT NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "matures_at" DATETIME NOT NULL,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "earnings_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "earnings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "earnings_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("paid") = 'integer' AND "paid" BETWEEN 1 AND 9000000000000000),
    CHECK (typeof("amount") = 'integer' AND "amount" BETWEEN 1 AND "paid"),
    CHECK (typeof("refunded") = 'integer' AND "refunded" BETWEEN 0 AND "paid"),
    CHECK (typeof("reversed") = 'integer' AND "reversed" BETWEEN 0 AND "amount"),
    CHECK ("state" IN ('pending', 'matured'))
);

-- CreateTable
CREATE TABLE "earning_entries" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "agent_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "earning_id" INTEGER,
    "payout_id" INTEGER,
    "pending" BIGINT NOT NULL DEFAULT 0,
    "available" BIGINT NOT NULL DEFAULT 0,
    "owed" BIGINT NOT NULL DEFAULT 0,
    "pending_after" BIGINT NOT NULL,
    "available_after" BIGINT NOT NULL,
    "owed_after" BIGINT NOT NULL,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "earning_entries_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "earning_entries_earning_id_fkey" FOREIGN KEY ("earning_id") REFERENCES "earnings" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "earning_entries_payout_id_fkey" FOREIGN KEY ("payout_id") REFERENCES "payouts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK ("kind" IN ('earned', 'matured', 'reversed', 'to_balance', 'payout', 'payout_refused')),
    CHECK (typeof("pending") = 'integer'),
    CHECK (typeof("available") = 'integer'),
    CHECK (typeof("owed") = 'integer'),
    CHECK (typeof("pending_after") = 'integer' AND "pending_after" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("available_after") = 'integer' AND "available_after" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("owed_after") = 'integer' AND "owed_after" BETWEEN 0 AND 9000000000000000)
);

-- CreateTable
CREATE TABLE "payouts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "payout_no" TEXT NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "address" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'requested',
    "txid" TEXT,
    "reason" TEXT NOT NULL DEFAULT '',
    "created_at" DATETIME NOT NULL,
    "ended_at" DATETIME,
    CONSTRAINT "payouts_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("amount") = 'integer' AND "amount" BETWEEN 1 AND 9000000000000000),
    CHECK ("status" IN ('requested', 'paid', 'refused')),
    CHECK (("status" = 'paid') = ("txid" IS NOT NULL)),
    CHECK (("status" = 'requested') = ("ended_at" IS NULL))
);

-- Earnings of agents are moved by an entry, as balances are.
ALTER TABLE "accounts" ADD COLUMN "earning_pending" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("earning_pending") = 'integer' AND "earning_pending" BETWEEN 0 AND 9000000000000000);
ALTER TABLE "accounts" ADD COLUMN "earning_available" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("earning_available") = 'integer' AND "earning_available" BETWEEN 0 AND 9000000000000000);
ALTER TABLE "accounts" ADD COLUMN "earning_owed" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("earning_owed") = 'integer' AND "earning_owed" BETWEEN 0 AND 9000000000000000);

-- CreateIndex
CREATE INDEX "agent_prices_agent_id_idx" ON "agent_prices"("agent_id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_prices_general" ON "agent_prices"("agent_id", "min_quantity") WHERE user_id IS NULL AND product_id IS NULL;

-- CreateIndex
CREATE UNIQUE INDEX "agent_prices_of_product" ON "agent_prices"("agent_id", "product_id", "min_quantity") WHERE user_id IS NULL AND product_id IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "agent_prices_of_user" ON "agent_prices"("agent_id", "user_id", "min_quantity") WHERE user_id IS NOT NULL AND product_id IS NULL;

-- CreateIndex
CREATE UNIQUE INDEX "agent_prices_of_user_and_product" ON "agent_prices"("agent_id", "user_id", "product_id", "min_quantity") WHERE user_id IS NOT NULL AND product_id IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "earnings_source_key" ON "earnings"("source");

-- CreateIndex
CREATE INDEX "earnings_to_mature" ON "earnings"("matures_at") WHERE state = 'pending';

-- CreateIndex
CREATE INDEX "earnings_order_no_idx" ON "earnings"("order_no");

-- CreateIndex
CREATE INDEX "earnings_agent_id_created_at_idx" ON "earnings"("agent_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "earning_entries_source_key" ON "earning_entries"("source");

-- CreateIndex
CREATE INDEX "earning_entries_agent_id_id_idx" ON "earning_entries"("agent_id", "id");

-- CreateIndex
CREATE INDEX "earning_entries_earning_id_idx" ON "earning_entries"("earning_id") WHERE earning_id IS NOT NULL;

-- CreateIndex
CREATE INDEX "earning_entries_payout_id_idx" ON "earning_entries"("payout_id") WHERE payout_id IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "payouts_payout_no_key" ON "payouts"("payout_no");

-- CreateIndex
CREATE UNIQUE INDEX "payouts_txid_key" ON "payouts"("txid");

-- CreateIndex
CREATE INDEX "payouts_agent_id_id_idx" ON "payouts"("agent_id", "id");

-- CreateIndex
CREATE INDEX "payouts_open" ON "payouts"("id") WHERE status = 'requested';

-- Earnings are moved by an entry only, and entries stay as they are.
CREATE TRIGGER "earning_entries_no_update" BEFORE UPDATE ON "earning_entries"
BEGIN
    SELECT RAISE(ABORT, 'entries of earnings are never changed');
END;
CREATE TRIGGER "earning_entries_no_delete" BEFORE DELETE ON "earning_entries"
BEGIN
    SELECT RAISE(ABORT, 'entries of earnings are never deleted');
END;
CREATE TRIGGER "earning_entries_move" AFTER INSERT ON "earning_entries"
BEGIN
    SELECT RAISE(ABORT, 'the entry does not continue the earnings')
    FROM "accounts" WHERE "id" = NEW."agent_id" AND (
        "earning_pending" + NEW."pending" <> NEW."pending_after"
        OR "earning_available" + NEW."available" <> NEW."available_after"
        OR "earning_owed" + NEW."owed" <> NEW."owed_after");
    UPDATE "accounts" SET
        "earning_pending" = NEW."pending_after",
        "earning_available" = NEW."available_after",
        "earning_owed" = NEW."owed_after",
        "updated_at" = NEW."created_at"
    WHERE "id" = NEW."agent_id";
END;
CREATE TRIGGER "accounts_start_without_earnings" BEFORE INSERT ON "accounts"
WHEN NEW."earning_pending" <> 0 OR NEW."earning_available" <> 0 OR NEW."earning_owed" <> 0
BEGIN
    SELECT RAISE(ABORT, 'earnings are moved by an entry only');
END;
CREATE TRIGGER "accounts_earnings_by_entries" BEFORE UPDATE OF "earning_pending", "earning_available", "earning_owed" ON "accounts"
WHEN (NEW."earning_pending" <> OLD."earning_pending"
      OR NEW."earning_available" <> OLD."earning_available"
      OR NEW."earning_owed" <> OLD."earning_owed")
AND NOT EXISTS (
    SELECT 1 FROM (SELECT * FROM "earning_entries" WHERE "agent_id" = NEW."id" ORDER BY "id" DESC LIMIT 1)
    WHERE "pending_after" = NEW."earning_pending"
      AND "available_after" = NEW."earning_available"
      AND "owed_after" = NEW."earning_owed"
)
BEGIN
    SELECT RAISE(ABORT, 'earnings are moved by an entry only');
END;

-- One more kind of remark. The trigger that keeps entries as they are steps aside for it.
DROP TRIGGER "ledger_entries_no_update";
ALTER TABLE "ledger_entries" ADD COLUMN "new_remark_kind" TEXT
    CHECK ("new_remark_kind" IN ('initial_balance', 'adjusted_by_agent', 'account_deleted', 'renewal', 'earnings'));
UPDATE "ledger_entries" SET "new_remark_kind" = "remark_kind" WHERE "remark_kind" IS NOT NULL;
ALTER TABLE "ledger_entries" DROP COLUMN "remark_kind";
ALTER TABLE "ledger_entries" RENAME COLUMN "new_remark_kind" TO "remark_kind";
CREATE TRIGGER "ledger_entries_no_update" BEFORE UPDATE ON "ledger_entries"
BEGIN
    SELECT RAISE(ABORT, 'ledger entries are never changed');
END;
