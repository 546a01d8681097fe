-- What the last batch of each gateway contained: one that comes twice differs from another one with the same number.
ALTER TABLE "gateways" ADD COLUMN "last_batch" TEXT COLLATE "C";
