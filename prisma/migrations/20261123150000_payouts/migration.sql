-- What a payout is worth in USDT, and that an agent may cancel it. No payout exists before this migration.
DROP TRIGGER "accounts_earnings_by_entries";

-- CreateTable
CREATE TABLE "new_earning_entries" (
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
    CHECK ("kind" IN ('earned', 'matured', 'reversed', 'to_balance', 'payout', 'payout_returned')),
    CHECK (("kind" IN ('earned', 'matured', 'reversed')) = ("earning_id" IS NOT NULL)),
    CHECK (("kind" IN ('payout', 'payout_returned')) = ("payout_id" IS NOT NULL)),
    CHECK (typeof("pending") = 'integer'),
    CHECK (typeof("available") = 'integer'),
    CHECK (typeof("owed") = 'integer'),
    CHECK (typeof("pending_after") = 'integer' AND "pending_after" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("available_after") = 'integer' AND "available_after" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("owed_after") = 'integer' AND "owed_after" BETWEEN 0 AND 9000000000000000)
);
INSERT INTO "new_earning_entries" SELECT * FROM "earning_entries";
DROP TABLE "earning_entries";
DROP TABLE "payouts";

-- CreateTable
CREATE TABLE "payouts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "payout_no" TEXT NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "rate" BIGINT NOT NULL,
    "usdt_units" BIGINT NOT NULL,
    "address" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'requested',
    "txid" TEXT,
    "reason" TEXT NOT NULL DEFAULT '',
    "created_at" DATETIME NOT NULL,
    "ended_at" DATETIME,
    CONSTRAINT "payouts_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("amount") = 'integer' AND "amount" BETWEEN 1 AND 9000000000000000),
    CHECK (typeof("rate") = 'integer' AND "rate" BETWEEN 1 AND 9000000000000000),
    CHECK (typeof("usdt_units") = 'integer' AND "usdt_units" BETWEEN 1 AND 9000000000000000),
    CHECK ("status" IN ('requested', 'paid', 'refused', 'cancelled')),
    CHECK (("status" = 'paid') = ("txid" IS NOT NULL)),
    CHECK (("status" = 'refused') = ("reason" <> '')),
    CHECK (("status" = 'requested') = ("ended_at" IS NULL))
);
ALTER TABLE "new_earning_entries" RENAME TO "earning_entries";

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

-- CreateIndex
CREATE INDEX "earning_entries_agent_id_created_at_idx" ON "earning_entries"("agent_id", "created_at");

-- CreateIndex
CREATE INDEX "earning_entries_created_at_idx" ON "earning_entries"("created_at");

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

-- Of a payout only its outcome is written, once.
CREATE TRIGGER "payouts_end_once" BEFORE UPDATE ON "payouts"
WHEN (OLD."status" <> 'requested' AND NOT (OLD."status" = 'cancelled' AND NEW."status" = 'paid'))
    OR NEW."payout_no" <> OLD."payout_no" OR NEW."agent_id" <> OLD."agent_id" OR NEW."amount" <> OLD."amount"
    OR NEW."rate" <> OLD."rate" OR NEW."usdt_units" <> OLD."usdt_units" OR NEW."address" <> OLD."address"
BEGIN
    SELECT RAISE(ABORT, 'payouts end once');
END;
CREATE TRIGGER "payouts_no_delete" BEFORE DELETE ON "payouts"
BEGIN
    SELECT RAISE(ABORT, 'payouts are never deleted');
END;
