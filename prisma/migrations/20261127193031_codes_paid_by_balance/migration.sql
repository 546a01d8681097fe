-- What a promotion code may cost the balance of its agent, what it has cost it, and what came back of that (rules 13.16).
ALTER TABLE "promo_codes" ADD COLUMN "balance_limit" BIGINT
    CHECK ("balance_limit" IS NULL
        OR (typeof("balance_limit") = 'integer' AND "balance_limit" BETWEEN 1 AND 9000000000000000 AND "agent_id" IS NOT NULL));
ALTER TABLE "promo_codes" ADD COLUMN "balance_used" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("balance_used") = 'integer' AND "balance_used" BETWEEN 0 AND coalesce("balance_limit", 0));
ALTER TABLE "promo_uses" ADD COLUMN "agent_paid" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("agent_paid") = 'integer' AND "agent_paid" BETWEEN 0 AND "discount");
ALTER TABLE "promo_uses" ADD COLUMN "agent_returned" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("agent_returned") = 'integer' AND "agent_returned" BETWEEN 0 AND "agent_paid");
ALTER TABLE "instances" ADD COLUMN "agent_paid" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("agent_paid") = 'integer' AND "agent_paid" BETWEEN 0 AND "discount");
ALTER TABLE "instances" ADD COLUMN "agent_returned" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("agent_returned") = 'integer' AND "agent_returned" BETWEEN 0 AND "agent_paid");

-- A use stays; only that it was given back is noted, once, and what came back to its agent, which grows.
DROP TRIGGER "promo_uses_stay";
CREATE TRIGGER "promo_uses_stay" BEFORE UPDATE ON "promo_uses"
WHEN NEW."code_id" <> OLD."code_id" OR NEW."order_no" <> OLD."order_no" OR NEW."user_id" <> OLD."user_id"
    OR NEW."discount" <> OLD."discount" OR NEW."agent_paid" <> OLD."agent_paid" OR NEW."agent_returned" < OLD."agent_returned"
    OR (OLD."returned_at" IS NOT NULL AND NEW."returned_at" IS NOT OLD."returned_at")
    OR (NEW."returned_at" IS OLD."returned_at" AND NEW."agent_returned" = OLD."agent_returned")
BEGIN
    SELECT RAISE(ABORT, 'uses of promotion codes are only given back, and once');
END;

-- One more type of entry: the table is made anew, because its check names the types. Its triggers, and those that look into it, step
-- aside for that.
DROP TRIGGER "accounts_balance_by_ledger";
DROP TRIGGER "accounts_paid_in_by_ledger";
CREATE TABLE "new_ledger_entries" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "transaction_no" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "scope_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "balance_after" BIGINT NOT NULL,
    "source" TEXT NOT NULL,
    "order_type" TEXT,
    "order_no" TEXT,
    "operator_id" INTEGER,
    "remark" TEXT NOT NULL DEFAULT '',
    "created_at" DATETIME NOT NULL,
    "remark_kind" TEXT
        CHECK ("remark_kind" IN ('initial_balance', 'adjusted_by_agent', 'account_deleted', 'renewal', 'earnings')),
    "paid_in" BIGINT
        CHECK ("paid_in" IS NULL OR (typeof("paid_in") = 'integer' AND "paid_in" BETWEEN min("amount", 0) AND max("amount", 0))),
    CONSTRAINT "ledger_entries_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("amount") = 'integer' AND "amount" BETWEEN -9000000000000000 AND 9000000000000000),
    CHECK (typeof("balance_after") = 'integer' AND "balance_after" BETWEEN 0 AND 9000000000000000),
    CHECK ("type" IN ('recharge', 'consumption', 'refund', 'adjust', 'transfer_in', 'transfer_out', 'promotion'))
);
INSERT INTO "new_ledger_entries" (
    "id", "transaction_no", "account_id", "scope_id", "type", "amount", "balance_after", "source",
    "order_type", "order_no", "operator_id", "remark", "created_at", "remark_kind", "paid_in")
SELECT
    "id", "transaction_no", "account_id", "scope_id", "type", "amount", "balance_after", "source",
    "order_type", "order_no", "operator_id", "remark", "created_at", "remark_kind", "paid_in"
FROM "ledger_entries" ORDER BY "id";
DROP TABLE "ledger_entries";
ALTER TABLE "new_ledger_entries" RENAME TO "ledger_entries";
CREATE UNIQUE INDEX "ledger_entries_transaction_no_key" ON "ledger_entries"("transaction_no");
CREATE UNIQUE INDEX "ledger_entries_source_key" ON "ledger_entries"("source");
CREATE INDEX "ledger_entries_account_id_id_idx" ON "ledger_entries"("account_id", "id");
CREATE INDEX "ledger_entries_account_id_type_created_at_idx" ON "ledger_entries"("account_id", "type", "created_at");
CREATE INDEX "ledger_entries_scope_id_type_created_at_idx" ON "ledger_entries"("scope_id", "type", "created_at");
CREATE INDEX "ledger_entries_order_no_idx" ON "ledger_entries"("order_no");
CREATE TRIGGER "ledger_entries_no_update" BEFORE UPDATE ON "ledger_entries"
BEGIN
    SELECT RAISE(ABORT, 'ledger entries are never changed');
END;
CREATE TRIGGER "ledger_entries_no_delete" BEFORE DELETE ON "ledger_entries"
BEGIN
    SELECT RAISE(ABORT, 'ledger entries are never deleted');
END;
CREATE TRIGGER "ledger_entries_move_balance" AFTER INSERT ON "ledger_entries"
BEGIN
    SELECT RAISE(ABORT, 'ledger entry does not continue the balance')
    FROM "accounts" WHERE "id" = NEW."account_id" AND "balance" + NEW."amount" <> NEW."balance_after";
    UPDATE "accounts" SET
        "balance" = NEW."balance_after",
        "paid_in" = "paid_in" + coalesce(NEW."paid_in", 0),
        "total_recharge" = "total_recharge" + CASE
            WHEN NEW."amount" > 0 AND (NEW."type" IN ('recharge', 'adjust') OR (NEW."type" = 'transfer_in' AND "agent_id" IS NOT NULL))
            THEN NEW."amount" ELSE 0 END,
        "total_consumption" = "total_consumption" - CASE
            WHEN NEW."type" IN ('consumption', 'refund', 'promotion') THEN NEW."amount" ELSE 0 END,
        "updated_at" = NEW."created_at"
    WHERE "id" = NEW."account_id";
END;
CREATE TRIGGER "ledger_entries_add_up" AFTER INSERT ON "ledger_entries"
BEGIN
    INSERT INTO "ledger_days" ("viewer_id", "sub_users", "day", "type", "order_type", "entries", "income", "expense")
    SELECT "viewer_id", "sub_users", substr(NEW."created_at", 1, 10), NEW."type", coalesce(NEW."order_type", ''), 1,
           max(NEW."amount", 0), max(-NEW."amount", 0)
    FROM (SELECT NEW."account_id" AS "viewer_id", 0 AS "sub_users"
          UNION ALL SELECT NEW."scope_id", 1 WHERE NEW."scope_id" <> NEW."account_id")
    WHERE true
    ON CONFLICT DO UPDATE SET
        "entries" = "entries" + 1, "income" = "income" + excluded."income", "expense" = "expense" + excluded."expense";
END;
CREATE TRIGGER "accounts_balance_by_ledger" BEFORE UPDATE OF "balance" ON "accounts"
WHEN NEW."balance" <> OLD."balance" AND NEW."balance" IS NOT (
    SELECT "balance_after" FROM "ledger_entries" WHERE "account_id" = NEW."id" ORDER BY "id" DESC LIMIT 1
)
BEGIN
    SELECT RAISE(ABORT, 'a balance is moved by a ledger entry only');
END;
CREATE TRIGGER "accounts_paid_in_by_ledger" BEFORE UPDATE OF "paid_in" ON "accounts"
WHEN NEW."paid_in" <> OLD."paid_in" AND (NEW."balance" = OLD."balance" OR NEW."paid_in" - OLD."paid_in" IS NOT (
    SELECT "paid_in" FROM "ledger_entries" WHERE "account_id" = NEW."id" ORDER BY "id" DESC LIMIT 1
))
BEGIN
    SELECT RAISE(ABORT, 'money comes in by an entry only');
END;
