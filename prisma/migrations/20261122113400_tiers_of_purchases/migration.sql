-- Purchases of before have no tiers: what was paid for them comes back as it was agreed then.
ALTER TABLE "static_orders" ADD COLUMN "tiers" TEXT NOT NULL DEFAULT '[]';
ALTER TABLE "renewals" ADD COLUMN "tiers" TEXT NOT NULL DEFAULT '[]';

-- A refund window that is as long as the shortest term lets proxies be used up and given back: the default of 24 hours with
-- products billed by the day. 30 days count as a month, the shortest of which has 28.
UPDATE "products" SET "refund_hours" = 0 WHERE "pool" IS NULL AND "refund_hours" >= 24 * CASE
  WHEN "period_unit" = 1 AND "period_length" % 30 <> 0 THEN "period_length"
  WHEN "period_unit" = 1 THEN "period_length" / 30 * 28
  ELSE "period_length" * 28 END;
