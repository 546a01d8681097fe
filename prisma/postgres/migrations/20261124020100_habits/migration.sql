-- What an account chose last when it bought a product or extracted from it.
CREATE TABLE "habits" (
    "account_id" BIGINT NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "product_no" TEXT COLLATE "C" NOT NULL,
    "choice" TEXT COLLATE "C" NOT NULL,
    "updated_at" TEXT COLLATE "C" NOT NULL,

    PRIMARY KEY ("account_id", "kind", "product_no"),
    CONSTRAINT "habits_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK ("kind" IN ('static', 'traffic', 'extraction')),
    CHECK ("choice"::jsonb IS NOT NULL AND octet_length("choice") <= 2000)
);
