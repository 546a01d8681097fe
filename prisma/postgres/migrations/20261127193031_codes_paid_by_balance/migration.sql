-- What a promotion code may cost the balance of its agent, what it has cost it, and what came back of that (rules 13.16).
-- contract: a column that may be missing
ALTER TABLE "promo_codes" ADD COLUMN "balance_limit" BIGINT
    CHECK ("balance_limit" IS NULL OR ("balance_limit" BETWEEN 1 AND 9000000000000000 AND "agent_id" IS NOT NULL));
ALTER TABLE "promo_codes" ADD COLUMN "balance_used" BIGINT NOT NULL DEFAULT 0
    CHECK ("balance_used" BETWEEN 0 AND coalesce("balance_limit", 0));
ALTER TABLE "promo_uses" ADD COLUMN "agent_paid" BIGINT NOT NULL DEFAULT 0 CHECK ("agent_paid" BETWEEN 0 AND "discount");
ALTER TABLE "promo_uses" ADD COLUMN "agent_returned" BIGINT NOT NULL DEFAULT 0
    CHECK ("agent_returned" BETWEEN 0 AND "agent_paid");
ALTER TABLE "instances" ADD COLUMN "agent_paid" BIGINT NOT NULL DEFAULT 0 CHECK ("agent_paid" BETWEEN 0 AND "discount");
ALTER TABLE "instances" ADD COLUMN "agent_returned" BIGINT NOT NULL DEFAULT 0
    CHECK ("agent_returned" BETWEEN 0 AND "agent_paid");

-- A use stays; only that it was given back is noted, once, and what came back to its agent, which grows.
-- contract: what the version before changes of a use may be changed as before
DROP TRIGGER "promo_uses_stay" ON "promo_uses";
-- contract: what the version before changes of a use may be changed as before
CREATE TRIGGER "promo_uses_stay" BEFORE UPDATE ON "promo_uses" FOR EACH ROW
    WHEN (NEW."code_id" <> OLD."code_id" OR NEW."order_no" <> OLD."order_no" OR NEW."user_id" <> OLD."user_id"
    OR NEW."discount" <> OLD."discount" OR NEW."agent_paid" <> OLD."agent_paid" OR NEW."agent_returned" < OLD."agent_returned"
    OR (OLD."returned_at" IS NOT NULL AND NEW."returned_at" IS DISTINCT FROM OLD."returned_at")
    OR (NEW."returned_at" IS NOT DISTINCT FROM OLD."returned_at" AND NEW."agent_returned" = OLD."agent_returned"))
    EXECUTE FUNCTION refuse('uses of promotion codes are only given back, and once');

-- One more type of entry.
-- contract: the types that the version before writes stay
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_type_check";
-- contract: the types that the version before writes stay; the entries that there are keep to it
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_type_check"
    CHECK ("type" IN ('recharge', 'consumption', 'refund', 'adjust', 'transfer_in', 'transfer_out', 'promotion')) NOT VALID;
-- contract: what it did before stays
CREATE OR REPLACE FUNCTION ledger_entries_move_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "accounts" SET
        "balance" = NEW."balance_after",
        "paid_in" = "paid_in" + coalesce(NEW."paid_in", 0),
        "total_recharge" = "total_recharge" + CASE
            WHEN NEW."amount" > 0 AND (NEW."type" IN ('recharge', 'adjust') OR (NEW."type" = 'transfer_in' AND "agent_id" IS NOT NULL))
            THEN NEW."amount" ELSE 0 END,
        "total_consumption" = "total_consumption" - CASE
            WHEN NEW."type" IN ('consumption', 'refund', 'promotion') THEN NEW."amount" ELSE 0 END,
        "updated_at" = NEW."created_at"
    WHERE "id" = NEW."account_id" AND "balance" + NEW."amount" = NEW."balance_after";
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ledger entry does not continue the balance';
    END IF;
    RETURN NULL;
END $$;
