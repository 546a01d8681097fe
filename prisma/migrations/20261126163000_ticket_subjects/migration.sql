-- What a ticket is about has columns of its own; until now it was read out of the text in "topic".
ALTER TABLE "tickets" ADD COLUMN "subject" TEXT CHECK ("subject" IN ('order', 'proxy', 'traffic', 'top_up', 'money'));
ALTER TABLE "tickets" ADD COLUMN "reference" TEXT CHECK (("subject" IS NULL) = ("reference" IS NULL));

UPDATE "tickets"
SET "subject" = substr("topic", 1, instr("topic", ' ') - 1), "reference" = substr("topic", instr("topic", ' ') + 1)
WHERE substr("topic", 1, instr("topic", ' ') - 1) IN ('order', 'proxy', 'traffic', 'top_up', 'money');
