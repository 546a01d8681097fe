-- The link by which an account was activated, so that it can say so when it is opened again.
ALTER TABLE "accounts" ADD COLUMN "activated_by" TEXT COLLATE "C";
-- contract: of a new column, which the version before does not write
CREATE UNIQUE INDEX "accounts_activated_by_key" ON "accounts"("activated_by");
