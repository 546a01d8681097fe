-- What exits carried, and their errors, by day, in place of the sums of the last day.
CREATE TABLE "exit_days" (
    "exit_id" BIGINT NOT NULL,
    "day" TEXT COLLATE "C" NOT NULL,
    "bytes" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    PRIMARY KEY ("exit_id", "day"),
    CONSTRAINT "exit_days_exit_id_fkey" FOREIGN KEY ("exit_id") REFERENCES "exits"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "exit_days_day_idx" ON "exit_days"("day");

INSERT INTO "exit_days" ("exit_id", "day", "bytes", "errors")
SELECT "id", substr("reported_at", 1, 10), "bytes_today", "errors_today"
FROM "exits"
WHERE "reported_at" IS NOT NULL AND ("bytes_today" > 0 OR "errors_today" > 0);

-- contract: no released version has worked on PostgreSQL with this column
ALTER TABLE "exits" DROP COLUMN "bytes_today";
-- contract: no released version has worked on PostgreSQL with this column
ALTER TABLE "exits" DROP COLUMN "errors_today";
