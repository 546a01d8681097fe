-- Who says which transfer, of those that paid no top-up, is the payment for which of its own; and the transactions that people have named,
-- for the server that reads the chain to say what they are.
CREATE TABLE "transfer_claims" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "transfer_id" INTEGER NOT NULL,
    "top_up_id" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "transfer_claims_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "usdt_transfers" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "transfer_claims_top_up_id_fkey" FOREIGN KEY ("top_up_id") REFERENCES "top_ups" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "named_transactions" (
    "txid" TEXT NOT NULL PRIMARY KEY,
    "answer" TEXT,
    "asked_at" DATETIME NOT NULL,
    CHECK (length("txid") = 64),
    CHECK ("answer" IN ('unknown', 'unconfirmed', 'failed', 'other_token', 'other_address', 'too_old', 'booked'))
);

CREATE INDEX "transfer_claims_top_up_id_idx" ON "transfer_claims"("top_up_id");
CREATE UNIQUE INDEX "transfer_claims_transfer_id_top_up_id_key" ON "transfer_claims"("transfer_id", "top_up_id");
CREATE INDEX "named_transactions_asked_at_idx" ON "named_transactions"("asked_at");
-- Which accounts an address has paid before.
CREATE INDEX "usdt_transfers_from_address_idx" ON "usdt_transfers"("from_address");
