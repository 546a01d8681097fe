-- Keys of programs, and access tokens that were ended before their time.
CREATE TABLE "api_keys" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "addresses" TEXT NOT NULL DEFAULT '[]',
    "expires_at" DATETIME,
    "revoked_at" DATETIME,
    "last_used_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (json_valid("scopes") AND json_array_length("scopes") > 0),
    CHECK (json_valid("addresses"))
);

CREATE TABLE "ended_tokens" (
    "token_hash" TEXT NOT NULL PRIMARY KEY,
    "account_id" INTEGER NOT NULL,
    "expires_at" DATETIME NOT NULL,
    CONSTRAINT "ended_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "api_keys_account_id_id_idx" ON "api_keys"("account_id", "id");

CREATE INDEX "ended_tokens_account_id_idx" ON "ended_tokens"("account_id");

CREATE INDEX "ended_tokens_expires_at_idx" ON "ended_tokens"("expires_at");
