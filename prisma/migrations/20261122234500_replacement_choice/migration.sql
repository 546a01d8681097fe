-- Whether the customer takes the price of the rest of the term where there is no equal proxy.
ALTER TABLE "replacements" ADD COLUMN "refund_accepted" BOOLEAN NOT NULL DEFAULT false;
