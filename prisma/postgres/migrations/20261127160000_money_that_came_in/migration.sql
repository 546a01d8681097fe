-- How much of a balance is money that came in, and how much of an agent's earnings may be paid out (rules 13.14, 13.15).
ALTER TABLE "ledger_entries" ADD COLUMN "paid_in" BIGINT
    CHECK ("paid_in" IS NULL OR "paid_in" BETWEEN least("amount", 0) AND greatest("amount", 0));
ALTER TABLE "accounts" ADD COLUMN "paid_in" BIGINT NOT NULL DEFAULT 0 CHECK ("paid_in" BETWEEN 0 AND "balance");
ALTER TABLE "accounts" ADD COLUMN "earning_payable" BIGINT NOT NULL DEFAULT 0
    CHECK ("earning_payable" BETWEEN -9000000000000000 AND 9000000000000000);
ALTER TABLE "earnings" ADD COLUMN "payable" BIGINT NOT NULL DEFAULT 0 CHECK ("payable" BETWEEN 0 AND "amount");
ALTER TABLE "earning_entries" ADD COLUMN "payable" BIGINT;

-- What there is already: of a balance at most what its account has topped up; of earnings at most what the agent and its sub-users have
-- topped up, less what was paid out.
-- contract: of new columns, which the version before does not know
UPDATE "accounts" SET
    "paid_in" = least("balance", (SELECT coalesce(sum("amount"), 0) FROM "ledger_entries" AS e
                                  WHERE e."account_id" = "accounts"."id" AND e."source" LIKE 'usdt:%')),
    "earning_payable" = least(
        "earning_pending" + "earning_available" - "earning_owed",
        (SELECT coalesce(sum("amount"), 0) FROM "ledger_entries" AS e
         WHERE e."scope_id" = "accounts"."id" AND e."type" = 'recharge' AND e."source" LIKE 'usdt:%')
        + (SELECT coalesce(sum("available" - "owed"), 0) FROM "earning_entries" AS n
           WHERE n."agent_id" = "accounts"."id" AND n."kind" IN ('payout', 'payout_returned')))
WHERE "balance" > 0 OR "role" = 'agent';

-- contract: what it did before stays; entries of the version before move the new column, too
CREATE OR REPLACE FUNCTION ledger_entries_move_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "accounts" SET
        "balance" = NEW."balance_after",
        "paid_in" = "paid_in" + coalesce(NEW."paid_in", 0),
        "total_recharge" = "total_recharge" + CASE
            WHEN NEW."amount" > 0 AND (NEW."type" IN ('recharge', 'adjust') OR (NEW."type" = 'transfer_in' AND "agent_id" IS NOT NULL))
            THEN NEW."amount" ELSE 0 END,
        "total_consumption" = "total_consumption" - CASE WHEN NEW."type" IN ('consumption', 'refund') THEN NEW."amount" ELSE 0 END,
        "updated_at" = NEW."created_at"
    WHERE "id" = NEW."account_id" AND "balance" + NEW."amount" = NEW."balance_after";
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ledger entry does not continue the balance';
    END IF;
    RETURN NULL;
END $$;
-- contract: about new columns, which the version before does not write
CREATE TRIGGER "accounts_start_unpaid" BEFORE INSERT ON "accounts" FOR EACH ROW
    WHEN (NEW."paid_in" <> 0 OR NEW."earning_payable" <> 0)
    EXECUTE FUNCTION refuse('money comes in by an entry only');
-- contract: about new columns, which the version before does not write
CREATE TRIGGER "accounts_paid_in_by_ledger" BEFORE UPDATE OF "paid_in" ON "accounts" FOR EACH ROW
    WHEN (NEW."paid_in" <> OLD."paid_in" AND pg_trigger_depth() = 0)
    EXECUTE FUNCTION refuse('money comes in by an entry only');

-- contract: what it did before stays; entries of the version before move the new column, too
CREATE OR REPLACE FUNCTION earning_entries_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "accounts" SET
        "earning_pending" = NEW."pending_after",
        "earning_available" = NEW."available_after",
        "earning_owed" = NEW."owed_after",
        "earning_payable" = "earning_payable" + coalesce(NEW."payable", 0),
        "updated_at" = NEW."created_at"
    WHERE "id" = NEW."agent_id"
        AND "earning_pending" + NEW."pending" = NEW."pending_after"
        AND "earning_available" + NEW."available" = NEW."available_after"
        AND "earning_owed" + NEW."owed" = NEW."owed_after";
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the entry does not continue the earnings';
    END IF;
    RETURN NULL;
END $$;
-- contract: about new columns, which the version before does not write
CREATE TRIGGER "accounts_payable_by_entries" BEFORE UPDATE OF "earning_payable" ON "accounts" FOR EACH ROW
    WHEN (NEW."earning_payable" <> OLD."earning_payable" AND pg_trigger_depth() = 0)
    EXECUTE FUNCTION refuse('earnings are moved by an entry only');

-- A server of the version before this one, which runs while the others are replaced, says nothing of it.
-- contract: it fills in what entries of the version before leave out
CREATE FUNCTION ledger_entries_of_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."paid_in" = CASE
        WHEN NEW."source" LIKE 'usdt:%' THEN NEW."amount"
        WHEN NEW."amount" < 0 THEN -least(-NEW."amount", (SELECT "paid_in" FROM "accounts" WHERE "id" = NEW."account_id"))
        ELSE 0 END;
    RETURN NEW;
END $$;
-- contract: it fills in what entries of the version before leave out
CREATE TRIGGER "ledger_entries_of_before" BEFORE INSERT ON "ledger_entries" FOR EACH ROW
    WHEN (NEW."paid_in" IS NULL)
    EXECUTE FUNCTION ledger_entries_of_before();
-- contract: it fills in what entries of the version before leave out
CREATE FUNCTION earning_entries_of_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."payable" = CASE NEW."kind"
        WHEN 'matured' THEN (SELECT "payable" FROM "earnings" WHERE "id" = NEW."earning_id")
        WHEN 'payout' THEN NEW."available" - NEW."owed"
        WHEN 'payout_returned' THEN NEW."available" - NEW."owed"
        ELSE 0 END;
    RETURN NEW;
END $$;
-- contract: it fills in what entries of the version before leave out
CREATE TRIGGER "earning_entries_of_before" BEFORE INSERT ON "earning_entries" FOR EACH ROW
    WHEN (NEW."payable" IS NULL)
    EXECUTE FUNCTION earning_entries_of_before();
