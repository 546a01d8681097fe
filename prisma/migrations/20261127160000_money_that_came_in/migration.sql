-- How much of a balance is money that came in, and how much of an agent's earnings may be paid out (rules 13.14, 13.15).
ALTER TABLE "ledger_entries" ADD COLUMN "paid_in" BIGINT
    CHECK ("paid_in" IS NULL OR (typeof("paid_in") = 'integer' AND "paid_in" BETWEEN min("amount", 0) AND max("amount", 0)));
ALTER TABLE "accounts" ADD COLUMN "paid_in" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("paid_in") = 'integer' AND "paid_in" BETWEEN 0 AND "balance");
ALTER TABLE "accounts" ADD COLUMN "earning_payable" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("earning_payable") = 'integer' AND "earning_payable" BETWEEN -9000000000000000 AND 9000000000000000);
ALTER TABLE "earnings" ADD COLUMN "payable" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("payable") = 'integer' AND "payable" BETWEEN 0 AND "amount");
ALTER TABLE "earning_entries" ADD COLUMN "payable" BIGINT CHECK ("payable" IS NULL OR typeof("payable") = 'integer');

-- What there is already: of a balance at most what its account has topped up; of earnings at most what the agent and its sub-users have
-- topped up, less what was paid out.
UPDATE "accounts" SET
    "paid_in" = min("balance", (SELECT coalesce(sum("amount"), 0) FROM "ledger_entries" AS e
                                WHERE e."account_id" = "accounts"."id" AND e."source" LIKE 'usdt:%')),
    "earning_payable" = min(
        "earning_pending" + "earning_available" - "earning_owed",
        (SELECT coalesce(sum("amount"), 0) FROM "ledger_entries" AS e
         WHERE e."scope_id" = "accounts"."id" AND e."type" = 'recharge' AND e."source" LIKE 'usdt:%')
        + (SELECT coalesce(sum("available" - "owed"), 0) FROM "earning_entries" AS n
           WHERE n."agent_id" = "accounts"."id" AND n."kind" IN ('payout', 'payout_returned')))
WHERE "balance" > 0 OR "role" = 'agent';

DROP TRIGGER "ledger_entries_move_balance";
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
        "total_consumption" = "total_consumption" - CASE WHEN NEW."type" IN ('consumption', 'refund') THEN NEW."amount" ELSE 0 END,
        "updated_at" = NEW."created_at"
    WHERE "id" = NEW."account_id";
END;
CREATE TRIGGER "accounts_start_unpaid" BEFORE INSERT ON "accounts" WHEN NEW."paid_in" <> 0 OR NEW."earning_payable" <> 0
BEGIN
    SELECT RAISE(ABORT, 'money comes in by an entry only');
END;
CREATE TRIGGER "accounts_paid_in_by_ledger" BEFORE UPDATE OF "paid_in" ON "accounts"
WHEN NEW."paid_in" <> OLD."paid_in" AND (NEW."balance" = OLD."balance" OR NEW."paid_in" - OLD."paid_in" IS NOT (
    SELECT "paid_in" FROM "ledger_entries" WHERE "account_id" = NEW."id" ORDER BY "id" DESC LIMIT 1
))
BEGIN
    SELECT RAISE(ABORT, 'money comes in by an entry only');
END;

DROP TRIGGER "earning_entries_move";
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
        "earning_payable" = "earning_payable" + coalesce(NEW."payable", 0),
        "updated_at" = NEW."created_at"
    WHERE "id" = NEW."agent_id";
END;
CREATE TRIGGER "accounts_payable_by_entries" BEFORE UPDATE OF "earning_payable" ON "accounts"
WHEN NEW."earning_payable" <> OLD."earning_payable" AND (
    (NEW."earning_pending" = OLD."earning_pending" AND NEW."earning_available" = OLD."earning_available"
     AND NEW."earning_owed" = OLD."earning_owed")
    OR NEW."earning_payable" - OLD."earning_payable" IS NOT (
        SELECT "payable" FROM "earning_entries" WHERE "agent_id" = NEW."id" ORDER BY "id" DESC LIMIT 1))
BEGIN
    SELECT RAISE(ABORT, 'earnings are moved by an entry only');
END;
