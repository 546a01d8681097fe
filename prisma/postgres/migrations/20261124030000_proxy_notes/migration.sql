-- A note of the customer's own on a proxy (rules 17.2).
ALTER TABLE "instances" ADD COLUMN "note" TEXT COLLATE "C" NOT NULL DEFAULT '' CHECK (length("note") <= 64);
