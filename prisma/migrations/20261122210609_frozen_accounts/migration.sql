-- An account whose books do not balance was a setting; it is a column of the account now.
ALTER TABLE "accounts" ADD COLUMN "frozen" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "accounts_frozen" ON "accounts"("id") WHERE frozen = 1;
UPDATE "accounts" SET "frozen" = true
WHERE "id" IN (SELECT CAST(substr("key", 16) AS INTEGER) FROM "settings" WHERE substr("key", 1, 15) = 'books_in_doubt:');
DELETE FROM "settings" WHERE substr("key", 1, 15) = 'books_in_doubt:';
