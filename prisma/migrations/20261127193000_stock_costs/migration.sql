-- What proxies of the own stock cost (rules 11.18).
ALTER TABLE "stock_ips" ADD COLUMN "monthly_cost" BIGINT
    CHECK ("monthly_cost" IS NULL OR (typeof("monthly_cost") = 'integer' AND "monthly_cost" BETWEEN 0 AND 1000000000000));

CREATE TABLE "stock_costs" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "order_id" INTEGER NOT NULL,
    "amount" BIGINT CHECK ("amount" IS NULL OR (typeof("amount") = 'integer' AND "amount" BETWEEN -9000000000000000 AND 9000000000000000)),
    "unknown" INTEGER NOT NULL CHECK ("unknown" >= 0),
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "stock_costs_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "static_orders" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "stock_costs_created_at_idx" ON "stock_costs"("created_at");

-- What was sold before: its cost is not known.
INSERT INTO "stock_costs" ("order_id", "unknown", "created_at")
SELECT o."id", o."success_count", o."created_at"
FROM "static_orders" AS o JOIN "products" AS p ON p."id" = o."product_id"
WHERE p."supplier" = 'inventory' AND o."success_count" > 0;
INSERT INTO "stock_costs" ("order_id", "unknown", "created_at")
SELECT o."id", (SELECT count(*) FROM "renewed_instances" AS i WHERE i."renewal_id" = r."id"), r."created_at"
FROM "renewals" AS r JOIN "static_orders" AS o ON o."id" = r."order_id" JOIN "products" AS p ON p."id" = o."product_id"
WHERE p."supplier" = 'inventory';
