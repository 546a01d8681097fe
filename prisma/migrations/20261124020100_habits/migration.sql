-- What an account chose last when it bought a product or extracted from it.
CREATE TABLE "habits" (
    "account_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "product_no" TEXT NOT NULL,
    "choice" TEXT NOT NULL,
    "updated_at" DATETIME NOT NULL,

    PRIMARY KEY ("account_id", "kind", "product_no"),
    CONSTRAINT "habits_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK ("kind" IN ('static', 'traffic', 'extraction')),
    CHECK (json_valid("choice") AND length("choice") <= 2000)
);
