-- AlterTable
ALTER TABLE "accounts" ADD COLUMN "activated_by" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "accounts_activated_by_key" ON "accounts"("activated_by");
