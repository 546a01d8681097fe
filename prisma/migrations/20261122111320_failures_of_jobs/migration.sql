-- Attempts in a row that failed; having to wait is no failure.
ALTER TABLE "jobs" ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0;
