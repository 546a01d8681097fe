-- The last day of a balance at a supplier, and what the operator was told of it.
ALTER TABLE "supplier_connections" ADD COLUMN "balance_expires_on" TEXT COLLATE "C";
ALTER TABLE "supplier_connections" ADD COLUMN "expiry_told" TEXT COLLATE "C";
