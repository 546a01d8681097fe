-- What a ticket is about has columns of its own; until now it was read out of the text in "topic".
ALTER TABLE "tickets" ADD COLUMN "subject" TEXT COLLATE "C" CHECK ("subject" IN ('order', 'proxy', 'traffic', 'top_up', 'money'));
ALTER TABLE "tickets" ADD COLUMN "reference" TEXT COLLATE "C" CHECK (("subject" IS NULL) = ("reference" IS NULL));

-- contract: the version before does not know these columns
UPDATE "tickets"
SET "subject" = split_part("topic", ' ', 1), "reference" = split_part("topic", ' ', 2)
WHERE split_part("topic", ' ', 1) IN ('order', 'proxy', 'traffic', 'top_up', 'money');
