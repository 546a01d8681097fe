ALTER TABLE "stock_ips" ADD COLUMN "network" TEXT NOT NULL DEFAULT '';
ALTER TABLE "stock_ips" ADD COLUMN "position" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "stock_ips" ADD COLUMN "resting" BOOLEAN NOT NULL DEFAULT false;
DROP INDEX "stock_ips_free";

-- What is free and has credentials that somebody was given rests from now on.
UPDATE "stock_ips" SET "resting" = true WHERE "order_id" IS NULL AND EXISTS (
  SELECT 1 FROM "instances" i
  WHERE i."ip" = "stock_ips"."ip" AND i."username" = "stock_ips"."username" AND i."password" = "stock_ips"."password");

-- 192.0.2.7 is in 192.0.2., the network that new addresses name as well; of IPv6 the last group is cut off.
UPDATE "stock_ips" SET "network" = rtrim("ip", '0123456789abcdef');
UPDATE "stock_ips" SET "position" = free."position" FROM (
  SELECT "id", row_number() OVER (PARTITION BY "location_id", "network" ORDER BY "id") AS "position" FROM "stock_ips"
  WHERE "order_id" IS NULL AND "disabled" = 0 AND "resting" = 0) free
WHERE free."id" = "stock_ips"."id";

CREATE INDEX "stock_ips_free" ON "stock_ips"("location_id", "position") WHERE order_id IS NULL AND disabled = 0 AND resting = 0;
CREATE INDEX "stock_ips_free_in_network" ON "stock_ips"("location_id", "network", "position") WHERE order_id IS NULL AND disabled = 0 AND resting = 0;
CREATE INDEX "stock_ips_resting" ON "stock_ips"("location_id") WHERE resting = 1;

-- A proxy that becomes free is sold after the other free ones of its network, and not before those that are next in its location:
-- so each turn takes one proxy of every network, whatever comes and goes.
CREATE TRIGGER "stock_ips_new" AFTER INSERT ON "stock_ips"
WHEN NEW."order_id" IS NULL AND NEW."disabled" = 0 AND NEW."resting" = 0
BEGIN
  UPDATE "stock_ips" SET "position" = max(
    1 + coalesce((SELECT s."position" FROM "stock_ips" s
                  WHERE s."location_id" = NEW."location_id" AND s."network" = NEW."network" AND s."id" <> NEW."id"
                    AND s."order_id" IS NULL AND s."disabled" = 0 AND s."resting" = 0 ORDER BY s."position" DESC LIMIT 1), 0),
    coalesce((SELECT s."position" FROM "stock_ips" s
              WHERE s."location_id" = NEW."location_id" AND s."id" <> NEW."id"
                AND s."order_id" IS NULL AND s."disabled" = 0 AND s."resting" = 0 ORDER BY s."position" LIMIT 1), 1))
  WHERE "id" = NEW."id";
END;

CREATE TRIGGER "stock_ips_free_again" AFTER UPDATE OF "order_id", "disabled", "resting" ON "stock_ips"
WHEN NEW."order_id" IS NULL AND NEW."disabled" = 0 AND NEW."resting" = 0
  AND (OLD."order_id" IS NOT NULL OR OLD."disabled" <> 0 OR OLD."resting" <> 0)
BEGIN
  UPDATE "stock_ips" SET "position" = max(
    1 + coalesce((SELECT s."position" FROM "stock_ips" s
                  WHERE s."location_id" = NEW."location_id" AND s."network" = NEW."network" AND s."id" <> NEW."id"
                    AND s."order_id" IS NULL AND s."disabled" = 0 AND s."resting" = 0 ORDER BY s."position" DESC LIMIT 1), 0),
    coalesce((SELECT s."position" FROM "stock_ips" s
              WHERE s."location_id" = NEW."location_id" AND s."id" <> NEW."id"
                AND s."order_id" IS NULL AND s."disabled" = 0 AND s."resting" = 0 ORDER BY s."position" LIMIT 1), 1))
  WHERE "id" = NEW."id";
END;
