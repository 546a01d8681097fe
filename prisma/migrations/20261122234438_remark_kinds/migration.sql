-- What the service itself remarks was recognised by its text; it is a column now.
ALTER TABLE "ledger_entries" ADD COLUMN "remark_kind" TEXT
    CHECK ("remark_kind" IN ('initial_balance', 'adjusted_by_agent', 'account_deleted', 'renewal'));

-- Takes over the entries that are there; the trigger that keeps entries as they are steps aside for it.
DROP TRIGGER "ledger_entries_no_update";
UPDATE "ledger_entries" SET "remark_kind" = 'initial_balance'
WHERE "remark" = 'Initial balance' AND ("source" LIKE 'initial:%' OR "source" LIKE 'transfer:%');
UPDATE "ledger_entries" SET "remark_kind" = 'adjusted_by_agent'
WHERE "remark" = 'Adjusted by the agent' AND "source" LIKE 'transfer:%';
UPDATE "ledger_entries" SET "remark_kind" = 'account_deleted'
WHERE "remark" = 'Account deleted' AND "source" LIKE 'transfer:%';
UPDATE "ledger_entries" SET "remark_kind" = 'renewal'
WHERE "source" LIKE 'renewal:%' AND "remark" = 'Renewal ' || substr("source", 9);
CREATE TRIGGER "ledger_entries_no_update" BEFORE UPDATE ON "ledger_entries"
BEGIN
    SELECT RAISE(ABORT, 'ledger entries are never changed');
END;

-- A notice of an adjustment shows what a person wrote only.
UPDATE "notices" SET "data" = json_set("data", '$.remark', NULL)
WHERE "kind" = 'balance_adjusted' AND "data" ->> '$.remark' = 'Adjusted by the agent';
