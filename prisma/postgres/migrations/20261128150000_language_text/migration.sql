-- Which languages there are is no matter of the database: a further one needs no migration.
-- contract: the version before writes what it wrote, and no other language comes with this one
ALTER TABLE "broadcasts" DROP CONSTRAINT "broadcasts_language_check";
