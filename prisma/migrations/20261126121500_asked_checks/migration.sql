ALTER TABLE "instances" ADD COLUMN "asked_check_at" DATETIME;
