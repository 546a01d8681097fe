-- Requests for money, to the agent or the operator; each is answered once.
CREATE TABLE "money_requests" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "account_id" INTEGER NOT NULL,
    "agent_id" INTEGER,
    "amount" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "transaction_no" TEXT,
    "created_at" DATETIME NOT NULL,
    "ended_at" DATETIME,
    CONSTRAINT "money_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "money_requests_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("amount") = 'integer' AND "amount" BETWEEN 1 AND 9000000000000000),
    CHECK ("status" IN ('open', 'given', 'declined', 'over')),
    CHECK (("status" = 'given') = ("transaction_no" IS NOT NULL)),
    CHECK (("status" = 'open') = ("ended_at" IS NULL))
);

CREATE UNIQUE INDEX "money_requests_transaction_no_key" ON "money_requests"("transaction_no");

CREATE UNIQUE INDEX "money_requests_open" ON "money_requests"("account_id") WHERE status = 'open';

CREATE INDEX "money_requests_account_id_id_idx" ON "money_requests"("account_id", "id");

CREATE INDEX "money_requests_agent_id_idx" ON "money_requests"("agent_id");

-- That somebody else has changed the balance is always told.
UPDATE "chats"
SET "muted" = (SELECT json_group_array("value") FROM json_each("muted") WHERE "value" <> 'balance_adjusted')
WHERE "muted" LIKE '%balance_adjusted%';
