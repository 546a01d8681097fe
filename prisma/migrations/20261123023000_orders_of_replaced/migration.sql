-- A proxy that replaced another one came with an order of its own at the supplier.
ALTER TABLE "instances" ADD COLUMN "provider_order_no" TEXT;
