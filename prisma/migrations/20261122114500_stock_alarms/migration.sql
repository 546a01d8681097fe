-- When the operator is told of low stock, and what is known of it.
ALTER TABLE "products" ADD COLUMN "low_stock" INTEGER NOT NULL DEFAULT 10;
ALTER TABLE "products" ADD COLUMN "low_stock_place" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "products" ADD COLUMN "stock_level" TEXT;
ALTER TABLE "locations" ADD COLUMN "stock_level" TEXT;
