-- AlterTable
ALTER TABLE "chats" ADD COLUMN "takes" TEXT;
