-- CreateTable
CREATE TABLE "request_keys" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "caller_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "request_keys_caller_id_fkey" FOREIGN KEY ("caller_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "request_keys_created_at_idx" ON "request_keys"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "request_keys_caller_id_key_key" ON "request_keys"("caller_id", "key");
